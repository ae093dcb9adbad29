import { z } from 'zod';
import type { TurnHandle } from '../../application/chat/turns.ts';
import type { ExchangeEnd } from '../../projections/chat/exchange.ts';
import { chatSlots } from '../../vocabulary.ts';
import { completionOf, type Headed } from '../openai/answer.ts';
import { completion, completionChunk, listedModel } from '../openai/answerShapes.ts';
import { answerStream } from '../openai/answerStream.ts';
import {
  askingOf,
  beginTurn,
  isGood,
  type OpenAiDependencies,
  ROUTED,
  refusedAs,
  turnErrors,
  unknownModel,
} from '../openai/asking.ts';
import { openAiError, openAiErrorBody } from '../openai/errors.ts';
import { readConversation } from '../openai/given.ts';
import { completionRequest } from '../openai/requestShapes.ts';
import { type AnyOperation, defineEither, defineOperation, type Listening } from '../operation.ts';

const area = 'openai';

/** The protocol that most clients of models speak, with hark in the place of the model. */
export function openAiOperations(dependencies: OpenAiDependencies): readonly AnyOperation[] {
  const { clock, takesAnyModel } = dependencies;
  const modelOf = (id: string) => ({ id, object: 'model' as const, created, owned_by: 'hark' });
  const created = Math.floor(clock() / 1_000);
  const models = [ROUTED, ...chatSlots].map(modelOf);
  return [
    defineEither({
      name: 'openai.complete',
      area,
      device: 'always',
      summary: 'Chat Completions in the protocol of OpenAI; the client keeps the conversation',
      description:
        'Each request is a turn by itself (the id of the answer is `chatcmpl-` and the id of the ' +
        'turn), recorded under the platform `openai` with the last message of the user, or where ' +
        'only the system speaks with that (its origin is then `client`, and nothing of it is ' +
        'believed of the user), and with the reply, not with what the client says was said before. ' +
        'Without `tools`, those of hark run here and only what the model says is shown; with `tools` ' +
        'the client runs them. Disconnecting cancels the turn and the call to the provider, ' +
        'unless the request has an `Idempotency-Key`. `temperature`, ' +
        '`max_completion_tokens` and `response_format` are passed on as far as the provider takes ' +
        'them. Fields that are not named here are ignored.',
      rest: { method: 'POST', path: '/v1/chat/completions' },
      input: completionRequest,
      output: completion,
      message: () => z.union([completionChunk(), openAiErrorBody()]),
      errors: turnErrors,
      example: {
        input: { model: ROUTED, messages: [{ role: 'user', content: 'What can you do for me?' }] },
      },
      async run(body, caller) {
        const asking = askingOf(body, caller, dependencies);
        const conversation = await readConversation(body, asking.userId);
        const kept = body.store === false ? { transient: true as const } : {};
        const handle = await beginTurn(dependencies, { ...asking, ...conversation, ...kept }, caller);
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
      device: 'never',
      summary: 'The names that a client may give as `model`',
      description:
        '`hark` goes by what is asked; the others are the chat slots, whatever model is in them. ' +
        'With the setting `v1AnyModel` any other name is taken for `hark`.',
      rest: { method: 'GET', path: '/v1/models' },
      input: () => z.object({}),
      output: () => z.object({ object: z.literal('list'), data: z.array(listedModel()) }),
      errors: [],
      example: { input: {} },
      run: () => ({ object: 'list' as const, data: models }),
    }),
    defineOperation({
      name: 'openai.model',
      area,
      device: 'never',
      summary: 'One of the models',
      rest: { method: 'GET', path: '/v1/models/:model', takesNames: true },
      input: () => z.object({ model: z.string() }),
      output: listedModel,
      errors: ['MODEL_UNKNOWN'],
      example: { input: { model: ROUTED } },
      run({ model }) {
        const found = models.find(({ id }) => id === model);
        if (!found && !takesAnyModel()) throw unknownModel(model);
        return found ?? modelOf(model);
      },
    }),
  ];
}

async function answered(headed: Headed, { ended }: TurnHandle) {
  const exchange = await ended;
  const { end } = exchange;
  if (!end || !isGood(end)) throw refusedAs(end);
  return completionOf(headed, exchange, end);
}

function refusal(end: ExchangeEnd): object | undefined {
  return isGood(end) ? undefined : openAiError(refusedAs(end));
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
