import type { Embedder } from '../../application/memory/embedder.ts';
import { type StatementVectors, stating } from '../../application/memory/statementVectors.ts';
import type { Clock } from '../../clock.ts';
import { modelsAway } from '../retryPolicy.ts';
import { defineSaga, type Saga, TryAgainLater } from '../saga.ts';

const BUSY_FOR_MS = 60_000;
/** What is said within it is asked for together: a model is not called for every sentence. */
const GATHERED_MS = 1_000;

interface EmbedStatementsOptions {
  readonly embedder: Pick<Embedder, 'model' | 'isResting'>;
  readonly vectors: Pick<StatementVectors, 'isMadeOf' | 'make'>;
  readonly clock: Clock;
}

/** What is believed can be found by what it means soon after it was said. With the first of many go all. */
export function embedStatements({ embedder, vectors, clock }: EmbedStatementsOptions): Saga {
  return defineSaga({
    name: 'embed-statements',
    on: stating,
    // What a model refuses to embed is found by its words.
    retry: { tries: 4, firstPauseMs: 1_000, awaits: modelsAway, hopeless: ['REQUEST_REFUSED'] },
    key: ({ owner }) => owner,
    async react(event, { signal }) {
      const { owner: userId, correlationId, at } = event;
      const { model } = embedder;
      if (model === undefined || (await vectors.isMadeOf(event, { userId, model }))) return;
      const early = at + GATHERED_MS - clock();
      if (early > 0) throw new TryAgainLater(early);
      // Each user's statements wait by themselves: one of them that asks is enough.
      if (embedder.isResting) throw new TryAgainLater(modelsAway.firstPauseMs);
      const isDone = await vectors.make({ userId, correlationId, signal });
      if (!isDone && embedder.model === model) throw new TryAgainLater(BUSY_FOR_MS);
    },
  });
}
