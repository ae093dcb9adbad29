import { onboardingReset, type SystemEvent } from '../../events/system.ts';
import { defineCommand } from '../command.ts';

export const resetOnboarding = defineCommand({
  name: 'system.resetOnboarding',
  state: { name: 'onboarding', version: 1, initial: null, evolve: () => null },
  scope: 'system',
  stream: () => 'onboarding',
  decide: (): SystemEvent[] => [{ type: onboardingReset.type, data: {} }],
});
