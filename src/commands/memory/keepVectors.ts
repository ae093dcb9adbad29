import { entryOf } from '../../entryOf.ts';
import type { EventOf } from '../../events/definition.ts';
import type { MemoryEvent, vectorsMade } from '../../events/memory.ts';
import { modelName } from '../../events/providers.ts';
import type { VectorsMade } from '../../folds/memory/vectors.ts';
import { isEmbedded } from '../../folds/memory/vectors.ts';
import type { KnownEpisodes } from './episodes.ts';
import { defineMemoryCommand } from './state.ts';

/** All vectors of some episodes; those of a long one in several parts. */
export type KeepVectors = readonly EventOf<typeof vectorsMade>['data'][];

/** Keeps vectors once for each episode and model. Of what was erased while they were made, nothing is kept. */
export const keepVectors = defineMemoryCommand<KeepVectors>({
  name: 'memory.keepVectors',
  decide: ({ episodes, embedded }: KnownEpisodes & VectorsMade, made): MemoryEvent[] =>
    made
      .filter(({ episodeId }) => entryOf(episodes, episodeId))
      .filter((data) => !isEmbedded(embedded, modelName(data), data.episodeId))
      .map((data) => ({ type: 'memory.vectors.made', data })),
});
