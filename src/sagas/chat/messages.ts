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
  const seen = images.flatMap(({ mimeType, base64 }) =>
    base64 === null ? [] : [{ type: 'image' as const, mimeType, base64 }],
  );
  const asked: ModelMessage = {
    role: 'user',
    parts: [{ type: 'text', text: told(exchange, text) }, ...seen],
  };
  const said = steps
    .filter((step) => step.calls.length > 0 || isReply(step, exchange))
    .flatMap(messagesOfStep);
  if (end === null || (end.as === 'replied' && said.at(-1)?.role === 'assistant')) return [asked, ...said];
  // What was said before calls is told with them.
  const untold = steps.slice(-1).filter(({ calls }) => calls.length === 0);
  return [asked, ...said, { role: 'assistant', text: replyIn({ ...exchange, steps: untold }) }];
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

function messagesOfStep(step: ExchangeStep): readonly ModelMessage[] {
  const { reasoning, calls, returns } = step;
  const toolCalls = calls.map(({ callId, name, input, malformed }) => ({
    id: callId,
    name,
    input: input ?? {},
    ...(malformed === null ? {} : { malformed }),
  }));
  const results = calls.map(({ callId }): ModelMessage => {
    const back = returns.find((one) => one.callId === callId);
    // Every call has to be answered, or the provider refuses the whole conversation.
    const { result, failed } = back ?? { result: null, failed: true };
    return { role: 'tool', callId, result: result ?? 'Error: There is no result', failed };
  });
  return [
    {
      role: 'assistant',
      text: contentOfStep(step),
      ...(reasoning ? { reasoning } : {}),
      ...(toolCalls.length > 0 ? { toolCalls } : {}),
    },
    ...results,
  ];
}
