import type { NewEvent } from '../../events/definition.ts';
import { isEvent } from '../../events/definition.ts';
import { onboardingReset, type SetupStep, type SystemEvent, setupStepSet } from '../../events/system.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import { defineCommand } from '../command.ts';

type Said = Readonly<Partial<Record<SetupStep, 'done' | 'skipped'>>>;

/** What was said of the steps since they were last opened. */
const saidOfSteps: StreamFold<Said> = {
  name: 'setupSteps',
  version: 1,
  initial: {},
  evolve(said, event: NewEvent) {
    if (isEvent(event, onboardingReset)) return {};
    if (!isEvent(event, setupStepSet)) return said;
    const { step, state } = event.data;
    const { [step]: _before, ...others } = said;
    return state === 'open' ? others : { ...others, [step]: state };
  },
};

/** One for the whole service. */
function setupStream(): string {
  return 'onboarding';
}

interface SetStep {
  readonly step: SetupStep;
  readonly state: 'open' | 'done' | 'skipped';
}

export const setSetupStep = defineCommand({
  name: 'system.setSetupStep',
  state: saidOfSteps,
  scope: 'system',
  stream: setupStream,
  decide(said, { step, state }: SetStep): SystemEvent[] {
    if ((said[step] ?? 'open') === state) return [];
    return [{ type: setupStepSet.type, data: { step, state } }];
  },
});

/** A fact each time, also when there was nothing to open. */
export const resetOnboarding = defineCommand({
  name: 'system.resetOnboarding',
  state: saidOfSteps,
  scope: 'system',
  stream: setupStream,
  decide: (): SystemEvent[] => [{ type: onboardingReset.type, data: {} }],
});
