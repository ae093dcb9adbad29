import type { MemoryEvent } from '../../../events/memory.ts';
import { defineMemoryCommand } from '../state.ts';
import { type Mentions, type Swept, steps } from './steps.ts';

export interface TakeStep {
  readonly sweepId: string;
  readonly step: keyof typeof steps;
  /** A part of what the step looks at. */
  readonly ids: readonly string[];
  readonly mentions?: Mentions | undefined;
}

/** A part of one step of the sweep that goes on; of another one, nothing is done any more. */
export const takeStep = defineMemoryCommand<TakeStep>({
  name: 'memory.takeStep',
  decide(memory: Swept, { sweepId, step, ids, mentions }): readonly MemoryEvent[] {
    const { sweep } = memory.upkeep;
    if (sweep?.sweepId !== sweepId) return [];
    return steps[step].decide(memory, sweep, ids, mentions);
  },
});
