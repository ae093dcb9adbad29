import { z } from 'zod';
import type { TurnHandle } from '../../application/chat/turns.ts';
import { eraseConversations } from '../../commands/memory/forgetting.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { HarkError } from '../../errors.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import {
  askingOf,
  beginTurn,
  isGood,
  type OpenAiDependencies,
  ROUTED,
  refusedAs,
  turnErrors,
  unknownResponse,
} from '../openai/asking.ts';
import { openAiErrorBody } from '../openai/errors.ts';
import { responseEvent, responseStream } from '../openai/responseEvents.ts';
import { type AskedFor, response, responseIdOf, responseOf, turnIdIn } from '../openai/responseOutput.ts';
import { type ResponseBody, responseRequest } from '../openai/responseShapes.ts';
import {
  type AnyOperation,
  type Caller,
  defineEither,
  defineOperation,
  type Listening,
} from '../operation.ts';

const area = 'openai';

interface ResponseDependencies extends OpenAiDependencies {
  readonly runner: () => CommandRunner;
}

/** The newer protocol of OpenAI, in which the service keeps the conversation. */
export function responseOperations(dependencies: ResponseDependencies): readonly AnyOperation[] {
  const { turns } = dependencies;
  const known = async (responseId: string, caller: Caller): Promise<Exchange> => {
    // Nothing is waited for: what runs elsewhere is told as far as it has come.
    const handle = await turns.find(caller.userId, turnIdIn(responseId) ?? '', AbortSignal.abort());
    const exchange = handle && (await Promise.race([handle.ended, handle.begun]));
    if (!exchange?.client) throw unknownResponse(responseId, 'response_id');
    return exchange;
  };
  return [
    defineEither({
      name: 'openai.respond',
      area,
      device: 'always',
      summary: 'Answers, in the Responses protocol of OpenAI',
      description:
        'Each response is a turn by itself (`resp_` and the id of the turn), recorded under the platform ' +
        '`openai`. `previous_response_id` goes on from an earlier one by the log, also after a restart; what was ' +
        'forgotten cannot be gone on from (404). Without `tools`, those of hark run here and only what the model ' +
        'says is shown; with `tools` the client runs them. Disconnecting cancels the turn and the call to the ' +
        'provider, unless the request has an `Idempotency-Key`. Fields that are not named here ' +
        'are passed over.',
      rest: { method: 'POST', path: '/v1/responses' },
      input: responseRequest,
      output: response,
      message: () => z.union([responseEvent(), openAiErrorBody()]),
      errors: [...turnErrors, 'RESPONSE_UNKNOWN'],
      example: { input: { model: ROUTED, input: 'What can you do for me?' } },
      async run(body, caller) {
        const asking = askingOf(body, caller, dependencies);
        const { userId } = asking;
        // Not at the start: only who asks here needs it.
        const { readResponseInput } = await import('../openai/responseInput.ts');
        const conversation = await readResponseInput(body, userId, (turnId) =>
          endedTurn(dependencies, userId, turnId, caller.signal),
        );
        const kept = body.store === false ? { transient: true as const } : {};
        const handle = await beginTurn(dependencies, { ...asking, ...conversation, ...kept }, caller);
        const asked = askedFor(body, handle);
        if (body.stream) return listenTo(responseStream({ asked, handle }, caller.signal), handle);
        const exchange = await handle.ended;
        if (!exchange.end || !isGood(exchange.end)) throw refusedAs(exchange.end);
        return responseOf(asked, exchange);
      },
    }),
    defineOperation({
      name: 'openai.response',
      area,
      device: 'always',
      summary: 'A response that is kept',
      description:
        'As it is in the log, also while it is given. What was asked for on the way to it, such as its tools, is ' +
        'not kept. A response is kept as long as what is said in chats; then, or once it is forgotten, it is 404.',
      rest: { method: 'GET', path: '/v1/responses/:responseId' },
      input: () => z.object({ responseId: z.string() }),
      output: response,
      errors: ['RESPONSE_UNKNOWN', 'KVSTORE_UNAVAILABLE'],
      example: { input: { responseId: 'resp_1' } },
      async run({ responseId }, caller) {
        const exchange = await known(responseId, caller);
        return responseOf(recordedAs(exchange), exchange);
      },
    }),
    defineOperation({
      name: 'openai.forgetResponse',
      area,
      device: 'never',
      summary: 'Forgets a response',
      description:
        'Its words are erased, and what was remembered because of it. One that still runs is ' +
        'cancelled first. Nothing can continue from it, nor from what continued from it.',
      rest: { method: 'DELETE', path: '/v1/responses/:responseId' },
      input: () => z.object({ responseId: z.string() }),
      output: () => z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }),
      errors: ['RESPONSE_UNKNOWN', 'KVSTORE_UNAVAILABLE', 'STORAGE_FULL'],
      example: { input: { responseId: 'resp_1' } },
      async run({ responseId }, caller) {
        const { turnId, end } = await known(responseId, caller);
        if (!end) await turns.cancel(caller, turnId);
        const { userId, correlationId } = caller;
        await dependencies
          .runner()
          .run(
            eraseConversations,
            { conversationIds: [turnId], turnIds: [turnId] },
            { userId, correlationId },
          );
        return { id: responseId, object: 'response' as const, deleted: true as const };
      },
    }),
  ];
}

/** Who goes on from what is still being said waits for its end. */
async function endedTurn(
  { turns }: OpenAiDependencies,
  userId: string,
  turnId: string,
  signal: AbortSignal,
): Promise<Exchange | undefined> {
  const handle = await turns.find(userId, turnId, signal);
  if (!handle) return undefined;
  const gone = Promise.withResolvers<undefined>();
  const leave = () => gone.resolve(undefined);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  const exchange = await Promise.race([handle.ended, gone.promise]);
  signal.removeEventListener('abort', leave);
  if (!exchange) throw new HarkError('CHAT_FAILED');
  return exchange;
}

const nothingSaid = {
  object: 'response',
  background: false,
  reasoning: { effort: null, summary: null },
  top_p: null,
  truncation: 'disabled',
} as const;

function askedFor(body: ResponseBody, { turnId, begun }: TurnHandle): AskedFor {
  const { text, tools = [], tool_choice: choice = 'auto', temperature = null } = body;
  return {
    ...nothingSaid,
    ...head(turnId, begun.at),
    model: body.model,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    store: body.store !== false,
    temperature,
    text: { format: text?.format ?? { type: 'text' } },
    tool_choice: choice,
    tools: tools.map(({ description = null, parameters = null, ...tool }) => ({
      ...tool,
      description,
      parameters,
      strict: false,
    })),
    user: body.user ?? null,
  };
}

function recordedAs({ turnId, at, client }: Exchange): AskedFor {
  const { model = ROUTED, previous = null, metadata = {}, instructions = null } = client ?? {};
  return {
    ...nothingSaid,
    ...head(turnId, at),
    model,
    instructions,
    max_output_tokens: null,
    metadata,
    parallel_tool_calls: true,
    previous_response_id: previous === null ? null : responseIdOf(previous),
    store: true,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    user: null,
  };
}

function head(turnId: string, at: number) {
  return { id: responseIdOf(turnId), created_at: Math.floor(at / 1_000) };
}

/** What fails before the first word is refused with its status; clients try again by that. */
async function listenTo(
  messages: ReturnType<typeof responseStream>,
  { turnId }: TurnHandle,
): Promise<Listening> {
  const first = await messages.next();
  const all = async function* () {
    if (first.done !== true) yield first.value;
    yield* messages;
  };
  return { headers: { 'x-turn-id': turnId }, isBounded: true, [Symbol.asyncIterator]: all };
}
