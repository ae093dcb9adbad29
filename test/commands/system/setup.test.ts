import { describe, it } from 'vitest';
import { resetOnboarding, setSetupStep } from '../../../src/commands/system/setup.ts';
import { onboardingReset, setupStepSet } from '../../../src/events/system.ts';
import { given } from '../../support/given.ts';

const reset = { type: onboardingReset.type, data: {} };
const skipped = { type: setupStepSet.type, data: { step: 'model', state: 'skipped' } } as const;
const opened = { type: setupStepSet.type, data: { step: 'model', state: 'open' } } as const;

describe('what is said of a step', () => {
  it('is a fact when it is news', () => {
    given(setSetupStep).when({ step: 'model', state: 'skipped' }).gives(skipped);
    given(setSetupStep, skipped).when({ step: 'model', state: 'skipped' }).givesNothing();
    given(setSetupStep, skipped).when({ step: 'model', state: 'open' }).gives(opened);
    given(setSetupStep, skipped, opened).when({ step: 'model', state: 'open' }).givesNothing();
  });

  it('is of that step alone', () => {
    const other = { type: setupStepSet.type, data: { step: 'reach', state: 'done' } } as const;
    given(setSetupStep, skipped).when({ step: 'reach', state: 'done' }).gives(other);
    given(setSetupStep, skipped, other, opened).when({ step: 'reach', state: 'done' }).givesNothing();
  });

  it('can be said again after a reset, which opens all', () => {
    given(setSetupStep, skipped, reset).when({ step: 'model', state: 'skipped' }).gives(skipped);
    given(setSetupStep, skipped, reset).when({ step: 'model', state: 'open' }).givesNothing();
  });
});

describe('resetting the onboarding', () => {
  it('is a fact each time', () => {
    given(resetOnboarding).when({}).gives(reset);
    given(resetOnboarding, skipped, reset).when({}).gives(reset);
  });
});
