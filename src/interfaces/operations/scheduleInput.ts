import { z } from 'zod';
import type { Understood } from '../../application/scheduler/when.ts';
import type { TimeHabits } from '../../application/timeHabits.ts';
import { invalidSchedule } from '../../commands/scheduler/invalidSchedule.ts';
import type { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { onFirstUse } from '../../onFirstUse.ts';
import { faultOfExpression, LEAST_INTERVAL_MS, type Schedule } from '../../recurrence.ts';
import { isZone } from '../../zonedTime.ts';
import { id } from '../operation.ts';
import { chatText, storable } from './chatShapes.ts';

/** Every time that it fires, the payload is written into the log. */
const MOST_PAYLOAD_BYTES = 64 * 1_024;
/** No time takes more to tell. */
const MOST_WORDS = 200;

export const taskInput = lazily(() =>
  z.object({
    name: z.string().trim().min(1).max(200).transform(storable),
    scheduleType: z
      .enum(['cron', 'once', 'interval'])
      .optional()
      .describe('Which of the fields below says when; not needed with `at` or `every`'),
    at: z
      .string()
      .max(MOST_WORDS)
      .optional()
      .describe(
        'When, once, in the time zone of the user: "tomorrow 9am", "in 20 minutes", "next Friday at noon", ' +
          '2026-11-20T14:00. Write am, pm or 24 hours',
      ),
    every: z
      .string()
      .max(MOST_WORDS)
      .optional()
      .describe('When, again and again: "2 h", "weekdays at 7", "Monday at 18:00", "month on the 1st at 9"'),
    expression: z
      .string()
      .max(200)
      .optional()
      .describe(
        'When `cron`: five fields, six with seconds first, seven with years last, or a name such as @daily',
      ),
    timezone: z
      .string()
      .max(64)
      .optional()
      .describe('IANA zone of `at`, `every` or the cron expression; that of the user when not given'),
    atTimestamp: z.int().max(8.64e15).optional().describe('When `once`: Unix ms, not in the past'),
    intervalMs: z
      .int()
      .max(8.64e15)
      .optional()
      .describe(`When \`interval\`: ms between runs, at least ${LEAST_INTERVAL_MS}`),
    eventTopic: z
      .string()
      .regex(/^[a-zA-Z0-9_.:-]{1,128}$/, 'must be 1 to 128 letters, digits, _, ., : or -')
      .optional()
      .describe('Published when it fires; has something done where it is a topic that acts'),
    text: chatText()
      .optional()
      .describe('In place of a topic: what to remind the user of when it fires, in these words'),
    sessionId: id()
      .optional()
      .describe('Of a prompt or a reminder: the conversation in which the user is answered'),
    notify: z
      .array(id())
      .max(10)
      .optional()
      .describe(
        'Of a prompt or a reminder: ids of the notification channels that tell it as well; all that the user ' +
          'has, where it is not given',
      ),
    payload: z
      .record(z.string(), z.unknown())
      .refine(
        (payload) => Buffer.byteLength(JSON.stringify(payload)) <= MOST_PAYLOAD_BYTES,
        'must not exceed 64 KiB',
      )
      .optional()
      .describe('Goes with every firing; 64 KiB at most'),
  }),
);

/** Those of its fields that say when. */
export const whenInput = lazily(() =>
  taskInput().pick({
    ...{ scheduleType: true, at: true, every: true, expression: true, timezone: true },
    ...{ atTimestamp: true, intervalMs: true },
  }),
);
type WhenInput = z.output<ReturnType<typeof whenInput>>;

/** What words mean for a time, in four languages. */
const words = onFirstUse(() => import('../../application/scheduler/when.ts'));

/** Of somebody who names a zone, times are read and told in that one. */
export function habitsAsked({ timezone }: WhenInput, habits: TimeHabits): TimeHabits {
  return timezone === undefined ? habits : { ...habits, timezone };
}

/** When a task is due, by the fields of the specification or in words. */
export async function whenOf(input: WhenInput, now: number, habits: TimeHabits): Promise<Understood> {
  const { at, every, timezone } = input;
  if (at === undefined && every === undefined)
    return { schedule: scheduleOf(input, habits.timezone), notes: [] };
  refuseOthers(input);
  checkZone(timezone);
  const read = habitsAsked(input, habits);
  const { understoodMoment, understoodRecurrence } = await words();
  if (every === undefined) return understoodMoment(at ?? '', now, read);
  // Some tell the day in one, and the time in the other.
  return understoodRecurrence(at === undefined ? every : `${every} ${at}`, now, read);
}

/** When it is due, in the user's language, with `next`, its next time in words. */
export async function toldWhen(understood: Understood, next: string, habits: TimeHabits): Promise<string> {
  // Nothing that comes again: no words of times have to be loaded.
  return understood.words === undefined ? next : (await words()).whenInWords(understood, next, habits);
}

function refuseOthers({ scheduleType, expression, atTimestamp, intervalMs, every }: WhenInput): void {
  if (expression !== undefined || atTimestamp !== undefined || intervalMs !== undefined)
    throw invalidSchedule('"at" and "every" take the place of "expression", "atTimestamp" and "intervalMs"');
  if (scheduleType !== undefined && (scheduleType === 'once') !== (every === undefined))
    throw invalidSchedule(`"${every === undefined ? 'at' : 'every'}" is not for ${scheduleType} schedules`);
}

/** What is missing is told in the words of the specification. */
function scheduleOf(input: WhenInput, zoneOfUser: string): Schedule {
  const { scheduleType, expression, timezone, atTimestamp, intervalMs } = input;
  if (timezone !== undefined && scheduleType !== 'cron')
    throw invalidSchedule('"timezone" is for cron schedules, "at" and "every"');
  switch (scheduleType) {
    case undefined:
      throw invalidSchedule('"scheduleType", "at" or "every" is required');
    case 'cron':
      return cron(expression?.trim(), timezone ?? (zoneOfUser === 'UTC' ? undefined : zoneOfUser));
    case 'once':
      if (atTimestamp === undefined) throw missing('atTimestamp', 'once');
      return { type: 'once', atTimestamp };
    case 'interval':
      if (intervalMs === undefined) throw missing('intervalMs', 'interval');
      if (intervalMs < LEAST_INTERVAL_MS)
        throw invalidSchedule(`"intervalMs" must be at least ${LEAST_INTERVAL_MS}`);
      return { type: 'interval', intervalMs };
  }
}

function cron(expression: string | undefined, timezone: string | undefined): Schedule {
  if (!expression) throw missing('expression', 'cron');
  checkZone(timezone);
  const fault = faultOfExpression(expression);
  if (fault !== undefined) throw invalidSchedule(`"expression" is not a cron expression: ${fault}`);
  return { type: 'cron', expression, ...(timezone === undefined ? {} : { timezone }) };
}

function checkZone(timezone: string | undefined): void {
  if (timezone !== undefined && !isZone(timezone))
    throw invalidSchedule('"timezone" is not an IANA time zone');
}

function missing(field: string, type: string): HarkError {
  return invalidSchedule(`"${field}" is required for ${type} schedules`);
}
