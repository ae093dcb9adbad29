import { createHash } from 'node:crypto';
import { z } from 'zod';
import { showImages } from '../../application/chat/messages.ts';
import type { TurnRequest } from '../../application/chat/request.ts';
import type { TurnHandle, Turns } from '../../application/chat/turns.ts';
import type { Clock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import type { ExchangeEnd } from '../../projections/chat/exchange.ts';
import { chatSlots, type SlotName } from '../../vocabulary.ts';
import { completionOf, type Headed } from '../openai/answer.ts';
import { completion, completionChunk, listedModel } from '../openai/answerShapes.ts';
import { answerStream } from '../openai/answerStream.ts';
import { openAiError, openAiErrorBody } from '../openai/errors.ts';
import { readConversation } from '../openai/given.ts';
import { type CompletionBody, completionRequest } from '../openai/requestShapes.ts';
import {
  type AnyOperation,
  type Caller,
  defineEither,
  defineOperation,
  type Listening,
} from '../operation.ts';
import { refusalOf } from './chatRefusal.ts';

const area = 'openai';
/** Asks whatever slot the text is for. */
const ROUTED = 'hark';

interface OpenAiDependencies {
  readonly turns: Turns;
  readonly clock: Clock;
  readonly seesImages: (slot: SlotName) => Promise<boolean>;
}

/** The protocol that most clients of models speak, with hark in the place of the model. */
export function openAiOperations({ turns, clock, seesImages }: OpenAiDependencies): readonly AnyOperation[] {
  const models = [ROUTED, ...chatSlots].map((id) => ({
    id,
    object: 'model' as const,
    created: Math.floor(clock() / 1_000),
    owned_by: 'hark',
  }));
  return [
    defineEither({
      name: 'openai.complete',
      area,
      summary: 'Goes on with a conversation that the client keeps, in the protocol of OpenAI',
      description:
        'Each request is a turn by itself (the id of the answer is `chatcmpl-` and the id of the ' +
        'turn), recorded under the platform `openai` with the last message of the user, or where ' +
        'only the system speaks with that (its origin is then `client`, and nothing of it is ' +
        'believed of the user), and with the reply, not with what the client says was said before. ' +
        'Without `tools`, those of hark run here and only what the model says is shown; with `tools` ' +
        'the client runs them. Who goes away cancels the turn, and the call to the provider with it, ' +
        'unless it gave an `Idempotency-Key` to come back with. `temperature`, ' +
        '`max_completion_tokens` and `response_format` are handed on as far as the provider takes ' +
        'them. Fields that are not named here are passed over.',
      rest: { method: 'POST', path: '/v1/chat/completions' },
      input: completionRequest,
      output: completion,
      message: z.union([completionChunk, openAiErrorBody]),
      errors: [
        'MODEL_UNKNOWN',
        'CHAT_FAILED',
        'REQUEST_REFUSED',
        'MODEL_UNAVAILABLE',
        'BILLING_EXHAUSTED',
        'IMAGES_NOT_SEEN',
        'STORAGE_FULL',
        'KVSTORE_UNAVAILABLE',
      ],
      example: {
        input: { model: ROUTED, messages: [{ role: 'user', content: 'What can you do for me?' }] },
      },
      async run(body, caller) {
        const request = await requestOf(body, caller);
        if (hasImages(request) && !(await seesImages(request.slot ?? 'chat')))
          throw new HarkError('IMAGES_NOT_SEEN');
        const handle = await turns.begin(request);
        if (caller.commandId === undefined) cancelWhenGone(turns, handle, request, caller.signal);
        const { turnId } = handle;
        const created = Math.floor(clock() / 1_000);
        const headed = { id: `chatcmpl-${turnId}`, created, model: body.model };
        if (!body.stream) return answered(headed, handle);
        const includeUsage = body.stream_options?.include_usage === true;
        return listenTo(answerStream({ headed, handle, includeUsage, refusal }, caller.signal), handle);
      },
    }),
    defineOperation({
      name: 'openai.models',
      area,
      summary: 'What a client may name as `model`',
      description: '`hark` goes by what is asked; the others are the chat slots, whatever model is in them.',
      rest: { method: 'GET', path: '/v1/models' },
      input: z.object({}),
      output: z.object({ object: z.literal('list'), data: z.array(listedModel) }),
      errors: [],
      example: { input: {} },
      run: () => ({ object: 'list' as const, data: models }),
    }),
    defineOperation({
      name: 'openai.model',
      area,
      summary: 'One of the models',
      rest: { method: 'GET', path: '/v1/models/:model' },
      input: z.object({ model: z.string() }),
      output: listedModel,
      errors: ['MODEL_UNKNOWN'],
      example: { input: { model: ROUTED } },
      run({ model }) {
        const found = models.find(({ id }) => id === model);
        if (!found) throw unknown(model);
        return found;
      },
    }),
  ];
}

async function requestOf(body: CompletionBody, caller: Caller): Promise<TurnRequest> {
  const { commandId, correlationId } = caller;
  const userId = userOf(body, caller);
  const slot = chatSlots.find((name) => name === body.model);
  if (slot === undefined && body.model !== ROUTED) throw unknown(body.model);
  // The key came with the caller's own name; another user's turn is another turn.
  const turnId =
    commandId && createHash('sha256').update(`${commandId}\n${userId}`).digest('hex').slice(0, 32);
  return {
    ...(await readConversation(body, userId)),
    userId,
    correlationId,
    sessionId: null,
    platform: 'openai',
    ...(slot ? { slot } : {}),
    ...(turnId ? { turnId } : {}),
  };
}

/** Who put `X-User-Id` there may stand between the client and us: the client cannot say otherwise. */
function userOf({ user }: CompletionBody, { userId, namesUser }: Caller): string {
  if (user === undefined || user === userId) return userId;
  if (!namesUser) return user;
  const issue = { path: ['user'], message: 'X-User-Id names another user' };
  throw new HarkError('VALIDATION_FAILED', { body: { issues: [issue] } });
}

function unknown(model: string): HarkError {
  const message = `There is no model ${JSON.stringify(model.slice(0, 100))}; see GET /v1/models`;
  return new HarkError('MODEL_UNKNOWN', { body: { issues: [{ path: ['model'], message }] } });
}

function hasImages({ given }: TurnRequest): boolean {
  return given !== undefined && showImages(given.messages);
}

async function answered(headed: Headed, { ended }: TurnHandle) {
  const exchange = await ended;
  const { end } = exchange;
  if (!end || !isGood(end)) throw refusedAs(end);
  return completionOf(headed, exchange, end);
}

function isGood({ as }: ExchangeEnd): boolean {
  return as === 'replied' || as === 'delegated';
}

function refusal(end: ExchangeEnd): object | undefined {
  return isGood(end) ? undefined : openAiError(refusedAs(end));
}

/** Clients of this protocol send again what failed with a 500: not what would be refused again. */
function refusedAs(end: ExchangeEnd | null): HarkError {
  return end?.code === 'REQUEST_REFUSED' ? new HarkError(end.code) : refusalOf(end, 'CHAT_FAILED');
}

/** What fails before the first word is refused with its status; clients try again by that. */
async function listenTo(
  messages: ReturnType<typeof answerStream>,
  { turnId, ended }: TurnHandle,
): Promise<Listening> {
  const first = await messages.next();
  if (first.done !== true && first.value.some(({ data }) => 'error' in data))
    throw refusedAs((await ended).end);
  const all = async function* () {
    if (first.done !== true) yield first.value;
    yield* messages;
  };
  return {
    headers: { 'x-turn-id': turnId },
    lastWords: '[DONE]',
    isBounded: true,
    [Symbol.asyncIterator]: all,
  };
}

/** Clients of this protocol expect that going away stops what costs them. */
function cancelWhenGone(
  turns: Turns,
  { turnId, ended }: TurnHandle,
  whose: TurnRequest,
  signal: AbortSignal,
): void {
  // It may be over by then.
  const cancel = () => void turns.cancel(whose, turnId).catch(() => undefined);
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  void ended.then(() => signal.removeEventListener('abort', cancel));
}
