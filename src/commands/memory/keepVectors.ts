import { entryOf } from '../../entryOf.ts';
import type { conclusionEmbedded } from '../../events/conclusions.ts';
import type { EventOf } from '../../events/definition.ts';
import type { vectorsMade } from '../../events/episodes.ts';
import type { MemoryEvent, Profile, profileEmbedded } from '../../events/memory.ts';
import { modelName } from '../../events/providers.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { isEmbedded, type VectorsMade } from '../../folds/memory/vectors.ts';
import type { KnownEpisodes } from './episodes.ts';
import { defineMemoryCommand, type Profiled } from './state.ts';

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

type KeepConclusionVectors = readonly EventOf<typeof conclusionEmbedded>['data'][];

/** Of what was erased while they were made, nothing is kept. */
export const keepConclusionVectors = defineMemoryCommand<KeepConclusionVectors>({
  name: 'memory.keepConclusionVectors',
  decide: ({ conclusions }: Conclusions, made): MemoryEvent[] =>
    made
      .filter(({ conclusionId }) => entryOf(conclusions, conclusionId))
      .map((data) => ({ type: 'memory.conclusion.embedded', data })),
});

interface KeepProfileVectors {
  readonly made: EventOf<typeof profileEmbedded>['data'];
  /** Of what they were made. */
  readonly profile: Profile;
}

/** Of a profile that was changed or erased while they were made, nothing is kept. */
export const keepProfileVectors = defineMemoryCommand<KeepProfileVectors>({
  name: 'memory.keepProfileVectors',
  decide: (memory: Profiled, { made, profile }): MemoryEvent[] =>
    JSON.stringify(memory.profile) === JSON.stringify(profile)
      ? [{ type: 'memory.profile.embedded', data: made }]
      : [],
});
