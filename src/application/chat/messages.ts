import type { ModelMessage } from '../../gateways/models/gateway.ts';
import { replyIn } from '../../projections/chat/conversation.ts';
import { contentOfStep, type Exchange, type ExchangeStep } from '../../projections/chat/exchange.ts';

export function showImages(messages: readonly ModelMessage[]): boolean {
  return messages.some(
    ({ role, ...said }) => 'parts' in said && said.parts.some(({ type }) => type === 'image'),
  );
}

/** A turn as the model is told it again: a turn without a reply ends with a word about that. */
export function messagesOf(exchange: Exchange): readonly ModelMessage[] {
  const { text, images, steps, end } = exchange;
  if (text === null) return [];
  const parts: Extract<ModelMessage, { role: 'user' }>['parts'][number][] = [];
  parts.push({ type: 'text', text: told(exchange, text) });
  for (const { mimeType, base64 } of images)
    if (base64 !== null) parts.push({ type: 'image', mimeType, base64 });
  const messages: ModelMessage[] = goesOn(exchange) ? [] : [{ role: 'user', parts }];
  for (const step of steps)
    if (step.calls.length > 0 || isReply(step, exchange)) addMessagesOf(step, messages);
  if (end === null || (end.as === 'replied' && messages.at(-1)?.role === 'assistant')) return messages;
  // What the client returned is all that there is to go on from.
  if (end.as === 'delegated' && isReturned(steps.at(-1))) return messages;
  // What was said before calls is told with them.
  const untold = steps.slice(-1).filter(({ calls }) => calls.length === 0);
  messages.push({ role: 'assistant', text: replyIn({ ...exchange, steps: untold }) });
  return messages;
}

/** What came of a turn, as a client goes on from it: the calls that it was left it answers itself. */
export function outputMessagesOf({ steps, end }: Exchange): readonly ModelMessage[] {
  const messages: ModelMessage[] = [];
  for (const step of steps) {
    if (step.calls.length === 0 && contentOfStep(step) === '') continue;
    const isLeft = end?.as === 'delegated' && step === steps.at(-1);
    addMessagesOf(step, messages, isLeft);
  }
  return messages;
}

/** The client asks to go on from what it returned: nobody said anything. */
function goesOn({ origin, text, source, images }: Exchange): boolean {
  return origin === 'client' && text === '' && source !== undefined && images.length === 0;
}

function isReturned(step: ExchangeStep | undefined): boolean {
  return step?.calls.every(({ callId }) => step.returns.some((back) => back.callId === callId)) ?? false;
}

/** In a session the user speaks too: what others say there is marked. */
function told({ origin, sessionId }: Exchange, text: string): string {
  if (origin === 'user' || sessionId === null) return text;
  return `[${whoAsks[origin]}, not by the user]\n${text}`;
}

const whoAsks = {
  client: 'Said by a client',
  schedule: 'Said by a schedule at its time',
  workflow: 'Said by a workflow',
  model: 'Said by a task that a model made',
  import: 'Said elsewhere',
} as const;

/** A last step without a word, which is no message to a provider, is told as what became of the turn. */
function isReply(step: ExchangeStep, { steps, end }: Exchange): boolean {
  return end?.as === 'replied' && step === steps.at(-1) && contentOfStep(step) !== '';
}

function addMessagesOf(step: ExchangeStep, messages: ModelMessage[], isLeft = false): void {
  const { reasoning, calls, returns } = step;
  const said = { role: 'assistant', text: contentOfStep(step), ...(reasoning ? { reasoning } : {}) } as const;
  if (calls.length === 0) {
    messages.push(said);
    return;
  }
  const toolCalls = calls.map(({ callId, name, input, malformed }) => ({
    id: callId,
    name,
    input: input ?? {},
    ...(malformed === null ? {} : { malformed }),
  }));
  messages.push({ ...said, toolCalls });
  if (isLeft) return;
  for (const { callId } of calls) {
    const back = returns.find((one) => one.callId === callId);
    // Every call has to be answered, or the provider refuses the whole conversation.
    const { result, failed } = back ?? { result: null, failed: true };
    messages.push({ role: 'tool', callId, result: result ?? 'Error: There is no result', failed });
  }
}
