import { describe, it } from 'vitest';
import { resetOnboarding } from '../../../src/commands/system/resetOnboarding.ts';
import { onboardingReset } from '../../../src/events/system.ts';
import { given } from '../../support/given.ts';

describe('resetting the onboarding', () => {
  it('is a fact each time: that the wizard ran in between is not for the log to know', () => {
    const reset = { type: onboardingReset.type, data: {} };
    given(resetOnboarding).when({}).gives(reset);
    given(resetOnboarding, reset).when({}).gives(reset);
  });
});
