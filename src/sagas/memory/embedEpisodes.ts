import { documentsOfEpisode } from '../../application/memory/documents.ts';
import type { Embedder } from '../../application/memory/embedder.ts';
import { importedWith } from '../../application/memory/importedWords.ts';
import type { BackgroundGuard } from '../../application/memory/ports.ts';
import { keepVectors } from '../../commands/memory/keepVectors.ts';
import { entryOf } from '../../entryOf.ts';
import { episodeCreated } from '../../events/episodes.ts';
import { isEmbedded } from '../../folds/memory/vectors.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import type { EventReader } from '../../store/port.ts';
import { modelsAway } from '../retryPolicy.ts';
import { defineSaga, type Saga, TryAgainLater } from '../saga.ts';

const BUSY_FOR_MS = 60_000;

interface EmbedEpisodesOptions {
  /** What stands while the saga runs. */
  readonly context: () => { readonly store: EventReader; readonly views: UserViews };
  readonly embedder: Pick<Embedder, 'model' | 'isResting' | 'embedEpisodes'>;
  readonly guard: BackgroundGuard;
}

/** A new episode can be found by what it means as soon as a model has said so; with no model, by its words. */
export function embedEpisodes({ context, embedder, guard }: EmbedEpisodesOptions): Saga {
  return defineSaga({
    name: 'embed-episodes',
    on: [episodeCreated],
    // What a model refuses to embed is found by its words.
    retry: { tries: 4, firstPauseMs: 1_000, awaits: modelsAway, hopeless: ['REQUEST_REFUSED'] },
    key: ({ owner }) => owner,
    async react(event, { run, signal }) {
      const { model } = embedder;
      if (model === undefined) return;
      const userId = event.owner;
      const { store, views } = context();
      const created = event.data;
      const memory = await views.of(remembered, userId);
      if (!entryOf(memory.episodes, created.episodeId)) return;
      if (isEmbedded(memory.embedded, model, created.episodeId)) return;
      // Each user's episodes wait by themselves: one of them that asks is enough.
      if (embedder.isResting) throw new TryAgainLater(modelsAway.firstPauseMs);
      const { safe } = await guard.mayWork(['embedding']);
      if (!safe) throw new TryAgainLater(BUSY_FOR_MS);
      const turns = created.conversationId === null ? await importedWith(store, event) : undefined;
      const documents = await documentsOfEpisode(store, userId, created, turns);
      await run(keepVectors, await embedder.embedEpisodes([documents], signal));
    },
  });
}
