import { onboardingReset, type SetupStep, setupStepSet } from '../../events/system.ts';
import { defineProjection } from '../projection.ts';

interface SetupView {
  /** What was said of steps; a step that is not in here is open for all that was said. */
  said: Partial<Record<SetupStep, 'done' | 'skipped'>>;
}

/** What was said of the steps of the setup. */
export const setup = defineProjection({
  name: 'system.setup',
  version: 1,
  handles: [setupStepSet, onboardingReset],
  initial: (): SetupView => ({ said: {} }),
  apply(view, event) {
    if (event.type === onboardingReset.type) view.said = {};
    else if (event.data.state === 'open') delete view.said[event.data.step];
    else view.said[event.data.step] = event.data.state;
  },
});
