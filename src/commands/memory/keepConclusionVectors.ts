import { entryOf } from '../../entryOf.ts';
import type { conclusionEmbedded } from '../../events/conclusions.ts';
import type { EventOf } from '../../events/definition.ts';
import { type MemoryEvent, memoryStream } from '../../events/memory.ts';
import { defineCommand } from '../command.ts';
import { type UserMemory, userMemory } from './state.ts';

type KeepConclusionVectors = readonly EventOf<typeof conclusionEmbedded>['data'][];

/** Of what was erased while they were made, nothing is kept. */
export const keepConclusionVectors = defineCommand<KeepConclusionVectors, UserMemory>({
  name: 'memory.keepConclusionVectors',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide: ({ conclusions }, made): MemoryEvent[] =>
    made
      .filter(({ conclusionId }) => entryOf(conclusions, conclusionId))
      .map((data) => ({ type: 'memory.conclusion.embedded', data })),
});
