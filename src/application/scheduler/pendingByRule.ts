import { z } from 'zod';
import { speaksOf } from '../../language/forgotten.ts';
import { isOfKind, type PendingRequest, pendingRequestIn } from '../../language/reminders/pending.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import { jsonIn, type RuleAnswer, repliesIn } from '../ruleAnswer.ts';
import { reminderReplies } from './reminderReplies.ts';

/* What answers where no model does, when somebody asks which reminders there are or wants to cancel one. */

const LIST = 'schedule.list';
const CANCEL = 'schedule.cancel';
const CALL = 'by-rule-pending-';
const MOST_CANCELLED = 20;

const listed = z.array(z.object({ id: z.string(), name: z.string(), when: z.string().optional() }));
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
  const resultOf = (callId: string) =>
    steps.flatMap(({ returns }) => returns).find((one) => one.callId === callId)?.result ?? null;
  const tasks = listed.safeParse(jsonIn(resultOf(`${CALL}1`) ?? '')).data;
  if (!tasks) return told(resultOf(`${CALL}1`) ?? replies.failed);
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
  return told(replies.cancelled(lines(cancelled)));
}

function told(text: string): RuleAnswer {
  return { text, calls: [] };
}

function meantBy({ kind, what }: PendingRequest, tasks: Listed): Listed {
  return tasks.filter(
    ({ name }) => (kind === undefined || isOfKind(name, kind)) && (what === '' || speaksOf(name, what)),
  );
}

function lines(tasks: Listed): string {
  return tasks.map(({ name, when }) => `- ${name}${when === undefined ? '' : ` (${when})`}`).join('\n');
}
