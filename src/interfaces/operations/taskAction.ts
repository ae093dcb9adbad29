import type { z } from 'zod';
import { PROMPT } from '../../application/chat/askAgent.ts';
import type { TopicActors } from '../../application/topicActors.ts';
import type { CreateTask } from '../../commands/scheduler/createTask.ts';
import { HarkError } from '../../errors.ts';
import { notifications } from '../../projections/notifications/notifications.ts';
import { REMINDER } from '../../vocabulary.ts';
import type { ServiceContext } from '../kvstore.ts';
import type { Caller } from '../operation.ts';
import type { taskInput } from './scheduleInput.ts';

type Asked = Pick<
  z.output<ReturnType<typeof taskInput>>,
  'eventTopic' | 'payload' | 'text' | 'sessionId' | 'notify'
>;

/** What a task is to do, and where the user hears of it. */
export function actionOf(
  input: Asked,
  actors: TopicActors,
  { tool, device }: Pick<Caller, 'device' | 'tool'>,
): Pick<CreateTask, 'topic' | 'payload' | 'sessionId' | 'notify'> {
  const { topic, payload } = topicOf(input);
  if (device) actors.refuseDevice(topic);
  actors.check(topic, payload);
  const inPayload = topic === PROMPT ? payload?.sessionId : undefined;
  if (!actors.speaks(topic)) {
    for (const field of ['sessionId', 'notify'] as const)
      if (input[field] !== undefined) throw invalid([field], 'is for prompts and reminders');
    return { topic, payload };
  }
  const named = input.sessionId ?? (typeof inPayload === 'string' ? inPayload : undefined);
  if (inPayload !== undefined && named !== inPayload)
    throw invalid(['sessionId'], 'must be the same as in the payload');
  if (tool)
    refuseOtherSession(input.sessionId === undefined ? ['payload', 'sessionId'] : ['sessionId'], named, tool);
  return { topic, payload, sessionId: named ?? tool?.sessionId ?? undefined, notify: input.notify };
}

function topicOf({ eventTopic, payload, text }: Asked): Pick<CreateTask, 'topic' | 'payload'> {
  if (text === undefined) {
    if (eventTopic === undefined)
      throw invalid(['eventTopic'], 'is required, unless there is a "text" to remind the user of');
    return { topic: eventTopic, payload: payload ?? null };
  }
  if (payload !== undefined || (eventTopic !== undefined && eventTopic !== REMINDER))
    throw invalid(['text'], 'takes the place of "eventTopic" and "payload"');
  return { topic: REMINDER, payload: { text } };
}

/** Whoever calls a tool may have something said where it is called, and in no other conversation of the user. */
function refuseOtherSession(
  path: readonly string[],
  named: string | undefined,
  { sessionId }: NonNullable<Caller['tool']>,
): void {
  if (named === undefined || named === sessionId) return;
  const own = sessionId === null ? 'There is none here' : `Here that is ${sessionId}`;
  throw invalid(path, `Has to be the session of the call. ${own}`);
}

/** Of somebody else's channel nobody is told that there is one. */
export async function refuseUnknownChannels(
  { views }: ServiceContext,
  { userId }: Caller,
  notify: readonly string[] = [],
): Promise<void> {
  if (notify.length === 0) return;
  const { channels } = await views.of(notifications, userId);
  const isUnknown = (wanted: string) => !channels.some(({ channelId }) => channelId === wanted);
  const index = notify.findIndex(isUnknown);
  if (index !== -1) throw invalid(['notify', String(index)], 'is not a notification channel of the user');
}

function invalid(path: readonly string[], message: string): HarkError {
  return new HarkError('VALIDATION_FAILED', { body: { issues: [{ path, message }] } });
}
