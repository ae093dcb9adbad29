import { z } from 'zod';
import { defineEvent, type EventOf } from './definition.ts';

const instanceId = z.string();

export const instanceStarted = defineEvent('system.instance.started', {
  data: z.object({ instanceId, version: z.string(), pid: z.number() }),
});

export const instanceStopped = defineEvent('system.instance.stopped', {
  data: z.object({ instanceId }),
});

/** The process ended without saying so: killed, crashed or cut off. Recorded by whichever process noticed. */
export const instanceLost = defineEvent('system.instance.lost', {
  data: z.object({ instanceId }),
});

/** A saga gave up on an event after its last try; the event's key goes on with what comes next. */
export const workAbandoned = defineEvent('system.work.abandoned', {
  data: z.object({ saga: z.string(), position: z.number(), attempts: z.number(), code: z.string() }),
});

export const onboardingReset = defineEvent('system.onboarding.reset', { data: z.object({}) });

/** However its process ended. */
export const endsOfInstance = [instanceLost, instanceStopped] as const;

export const systemEvents = [
  instanceStarted,
  instanceStopped,
  instanceLost,
  workAbandoned,
  onboardingReset,
] as const;

export type SystemEvent = EventOf<(typeof systemEvents)[number]>;
