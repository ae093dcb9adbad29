import { entryOf } from '../../entryOf.ts';
import type { conclusionEmbedded } from '../../events/conclusions.ts';
import type { EventOf } from '../../events/definition.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { defineMemoryCommand } from './state.ts';

type KeepConclusionVectors = readonly EventOf<typeof conclusionEmbedded>['data'][];

/** Of what was erased while they were made, nothing is kept. */
export const keepConclusionVectors = defineMemoryCommand<KeepConclusionVectors>({
  name: 'memory.keepConclusionVectors',
  decide: ({ conclusions }: Conclusions, made): MemoryEvent[] =>
    made
      .filter(({ conclusionId }) => entryOf(conclusions, conclusionId))
      .map((data) => ({ type: 'memory.conclusion.embedded', data })),
});
