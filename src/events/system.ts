import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { defineEvent, type EventOf } from './definition.ts';

const instanceId = lazily(() => z.string());

export const instanceStarted = defineEvent('system.instance.started', {
  data: () => z.object({ instanceId: instanceId(), version: z.string(), pid: z.number() }),
});

export const instanceStopped = defineEvent('system.instance.stopped', {
  data: () => z.object({ instanceId: instanceId() }),
});

/** The process ended without saying so: killed, crashed or cut off. Recorded by whichever process noticed. */
export const instanceLost = defineEvent('system.instance.lost', {
  data: () => z.object({ instanceId: instanceId() }),
});

/** A saga gave up on an event after its last try; the event's key goes on with what comes next. */
export const workAbandoned = defineEvent('system.work.abandoned', {
  data: () => z.object({ saga: z.string(), position: z.number(), attempts: z.number(), code: z.string() }),
});

/** The steps of the setup, in their order. */
export const setupSteps = ['model', 'memory', 'reach'] as const;
export type SetupStep = (typeof setupSteps)[number];

/** What somebody said of a step; `open` takes back what was said before. */
export const setupStepSet = defineEvent('system.setup.step.set', {
  data: () => z.object({ step: z.enum(setupSteps), state: z.enum(['open', 'done', 'skipped']) }),
});

export const onboardingReset = defineEvent('system.onboarding.reset', { data: () => z.object({}) });

/** A part that hark can do without was put on this machine, or started there, because somebody asked for it. */
export const dependencyInstalled = defineEvent('system.dependency.installed', {
  data: () => z.object({ name: z.string(), status: z.enum(['installed', 'started']), runtime: z.string() }),
});

const backupName = lazily(() => z.string());

/** The log was copied into a file of the data directory. */
export const backupMade = defineEvent('system.backup.made', {
  data: () => z.object({ name: backupName(), bytes: z.number(), events: z.number() }),
});

export const backupRemoved = defineEvent('system.backup.removed', {
  data: () => z.object({ name: backupName() }),
});

/** However its process ended. */
export const endsOfInstance = [instanceLost, instanceStopped] as const;

export const systemEvents = [
  instanceStarted,
  instanceStopped,
  instanceLost,
  workAbandoned,
  setupStepSet,
  onboardingReset,
  dependencyInstalled,
  backupMade,
  backupRemoved,
] as const;

export type SystemEvent = EventOf<(typeof systemEvents)[number]>;
