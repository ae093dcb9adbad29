import { type MemoryEvent, memoryStream } from '../../../events/memory.ts';
import { defineCommand } from '../../command.ts';
import { type UserMemory, userMemory } from '../state.ts';
import { type Mentions, steps } from './steps.ts';

export interface TakeStep {
  readonly sweepId: string;
  readonly step: keyof typeof steps;
  /** A part of what the step looks at. */
  readonly ids: readonly string[];
  readonly mentions?: Mentions | undefined;
}

/** A part of one step of the sweep that goes on; of another one, nothing is done any more. */
export const takeStep = defineCommand<TakeStep, UserMemory>({
  name: 'memory.takeStep',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide(memory, { sweepId, step, ids, mentions }): readonly MemoryEvent[] {
    const { sweep } = memory.upkeep;
    if (sweep?.sweepId !== sweepId) return [];
    return steps[step].decide(memory, sweep, ids, mentions);
  },
});
