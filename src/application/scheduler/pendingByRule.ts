import { z } from 'zod';
import { speaksOf } from '../../language/forgotten.ts';
import { isOfKind, type PendingRequest, pendingRequestIn } from '../../language/reminders/pending.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import { REMINDER } from '../../vocabulary.ts';
import { jsonIn, type RuleAnswer, repliesIn } from '../ruleAnswer.ts';
import { reminderReplies } from './reminderReplies.ts';

/* What answers where no model does, when somebody asks which reminders there are or wants to cancel one. */

const LIST = 'schedule.list';
const CANCEL = 'schedule.cancel';
const CALL = 'by-rule-pending-';
const MOST_CANCELLED = 20;

const listed = z.array(
  z.object({ id: z.string(), name: z.string(), when: z.string().optional(), eventTopic: z.string() }),
);
type Listed = z.output<typeof listed>;

/** Undefined where nothing of the kind is asked: looked up first, and then told or cancelled. */
export function answerPending(
  said: string,
  { steps }: Pick<Exchange, 'steps'>,
  language: string | undefined,
): RuleAnswer | undefined {
  const request = pendingRequestIn(said);
  if (!request) return undefined;
  const replies = repliesIn(language ?? request.language, reminderReplies);
  if (steps.length === 0)
    return { text: '', calls: [{ id: `${CALL}1`, name: LIST, input: { status: 'active' } }] };
  const returned = steps.flatMap(({ returns }) => returns);
  const found = returned.find(({ callId }) => callId === `${CALL}1`)?.result ?? '';
  // Behind a list that is cut stands a line that says so.
  const tasks = listed.safeParse(jsonIn(found.split('\n', 1)[0] ?? '')).data;
  if (!tasks) return told(found || replies.failed);
  const meant = meantBy(request, tasks);
  if (meant.length === 0) return told(replies.nothingWaits);
  if (request.as === 'list') return told(replies.waiting(lines(meant)));
  if (!request.all && meant.length > 1) return told(replies.which(lines(meant)));
  const cancelled = meant.slice(0, MOST_CANCELLED);
  if (steps.length === 1)
    return {
      text: '',
      calls: cancelled.map(({ id }, index) => ({
        id: `${CALL}${index + 2}`,
        name: CANCEL,
        input: { taskId: id },
      })),
    };
  const isDone = (index: number) =>
    returned.some(({ callId, failed }) => callId === `${CALL}${index + 2}` && !failed);
  const done = cancelled.filter((_task, index) => isDone(index));
  return told(done.length === 0 ? replies.failed : replies.cancelled(lines(done)));
}

function told(text: string): RuleAnswer {
  return { text, calls: [] };
}

function meantBy({ kind, what }: PendingRequest, tasks: Listed): Listed {
  return tasks.filter(
    ({ name, eventTopic }) =>
      eventTopic === REMINDER &&
      (kind === undefined || isOfKind(name, kind)) &&
      (what === '' || speaksOf(name, what)),
  );
}

function lines(tasks: Listed): string {
  return tasks.map(({ name, when }) => `- ${name}${when === undefined ? '' : ` (${when})`}`).join('\n');
}
