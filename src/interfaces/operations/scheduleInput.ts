import { z } from 'zod';
import { invalidSchedule } from '../../commands/scheduler/invalidSchedule.ts';
import type { HarkError } from '../../errors.ts';
import { faultOfExpression, LEAST_INTERVAL_MS, type Schedule } from '../../recurrence.ts';
import { isZone } from '../../zonedTime.ts';
import { id } from '../operation.ts';
import { chatText, storable } from './chatShapes.ts';

/** Every time that it fires, the payload is written into the log. */
const MOST_PAYLOAD_BYTES = 64 * 1_024;

export const taskInput = z.object({
  name: z.string().trim().min(1).max(200).transform(storable),
  scheduleType: z.enum(['cron', 'once', 'interval']),
  expression: z
    .string()
    .max(200)
    .optional()
    .describe(
      'When `cron`: five fields, six with seconds first, seven with years last, or a name such as @daily',
    ),
  timezone: z.string().max(64).optional().describe('IANA zone of a cron expression; UTC when not given'),
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
  text: chatText
    .optional()
    .describe('In place of a topic: what to remind the user of when it fires, in these words'),
  sessionId: id
    .optional()
    .describe('Of a prompt or a reminder: the conversation in which the user is answered'),
  payload: z
    .record(z.string(), z.unknown())
    .refine(
      (payload) => Buffer.byteLength(JSON.stringify(payload)) <= MOST_PAYLOAD_BYTES,
      'must not exceed 64 KiB',
    )
    .optional()
    .describe('Goes with every firing; 64 KiB at most'),
});

/** What is missing is told in the words of the specification. */
export function scheduleOf(input: z.output<typeof taskInput>): Schedule {
  const { scheduleType, expression, timezone, atTimestamp, intervalMs } = input;
  if (timezone !== undefined && scheduleType !== 'cron')
    throw invalidSchedule('"timezone" is for cron schedules');
  switch (scheduleType) {
    case 'cron':
      return cron(expression?.trim(), timezone);
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
  if (timezone !== undefined && !isZone(timezone))
    throw invalidSchedule('"timezone" is not an IANA time zone');
  const fault = faultOfExpression(expression);
  if (fault !== undefined) throw invalidSchedule(`"expression" is not a cron expression: ${fault}`);
  return { type: 'cron', expression, ...(timezone === undefined ? {} : { timezone }) };
}

function missing(field: string, type: string): HarkError {
  return invalidSchedule(`"${field}" is required for ${type} schedules`);
}
