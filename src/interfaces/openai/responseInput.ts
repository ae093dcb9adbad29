import { outputMessagesOf } from '../../application/chat/messages.ts';
import type { TurnRequest } from '../../application/chat/request.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import { unknownResponse } from './asking.ts';
import {
  type ClientConversation,
  type ClientWords,
  callsOfModel,
  checkCalls,
  conversationOf,
  type Manners,
  saidIn,
} from './given.ts';
import type { Message } from './messageShapes.ts';
import { outputOf, turnIdIn } from './responseOutput.ts';
import {
  type InputItem,
  inputItem,
  type MessageItem,
  type Reference,
  type ResponseBody,
} from './responseShapes.ts';

/** What an earlier turn came to; undefined where this user has none. */
export type FindTurn = (turnId: string) => Promise<Exchange | undefined>;

/** Responses that one goes on from, and that items are taken out of by reference. */
const MOST_RESPONSES = 500;
const MOST_REFERRED_TO = 200;
/** No model takes as much, and each response that goes on from it has to read it again. */
const MOST_CHARACTERS = 4_000_000;

/** What the client sent, as the turn takes it and as the log keeps it. */
export async function readResponseInput(
  body: ResponseBody,
  owner: string,
  find: FindTurn,
): Promise<ClientConversation & Pick<TurnRequest, 'client'>> {
  return read(body, owner, new Past(find)).catch(inTheirWords);
}

async function read(body: ResponseBody, owner: string, past: Past): ReturnType<typeof readResponseInput> {
  const { previous_response_id: previousId, instructions } = body;
  const own = typeof body.input === 'string' ? [userItem(body.input)] : body.input;
  const chain = previousId === undefined ? [] : await past.chainTo(previousId);
  const said: ClientWords = { messages: [], system: instructions === undefined ? [] : [instructions] };
  const add = async (items: readonly InputItem[]) => {
    const { messages, system } = saidIn(await past.messagesOf(items));
    said.messages.push(...messages);
    said.system.push(...system);
  };
  for (const exchange of chain) {
    await add(itemsOf(exchange));
    said.messages.push(...outputMessagesOf(exchange));
  }
  await add(own);
  checkCalls(said.messages.map(callsOfModel), () => ['input']);
  const given = await conversationOf(said, mannerOf(body), owner, ['input']);
  // The images are in what the client sent: once is enough.
  const images = body.store === false ? given.images : [];
  return { ...given, images, ...(body.store === false ? {} : { client: clientOf(body, own, chain.at(-1)) }) };
}

function clientOf(
  { model, instructions, metadata = {} }: ResponseBody,
  input: readonly InputItem[],
  previous: Exchange | undefined,
): NonNullable<TurnRequest['client']> {
  return { model, previous: previous?.turnId ?? null, input, instructions: instructions ?? null, metadata };
}

function userItem(text: string): InputItem {
  return { type: 'message', role: 'user', content: text };
}

/** How the model is to answer, as a client of completions says it. */
function mannerOf(body: ResponseBody): Manners {
  const { temperature, max_output_tokens, tools, tool_choice: choice, text, parallel_tool_calls } = body;
  const { format } = text ?? {};
  return {
    temperature,
    max_completion_tokens: max_output_tokens,
    parallel_tool_calls,
    tools: tools?.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    tool_choice: choiceOf(choice),
    response_format:
      format?.type === 'json_schema'
        ? { type: 'json_schema', json_schema: { name: format.name, schema: format.schema } }
        : format,
  };
}

function choiceOf(choice: ResponseBody['tool_choice']): Manners['tool_choice'] {
  if (typeof choice !== 'object') return choice;
  const named = ({ name }: { readonly name: string }) => ({ type: 'function' as const, function: { name } });
  if (choice.type === 'function') return named(choice);
  const { type, mode, tools } = choice;
  return { type, allowed_tools: { mode, tools: tools.map(named) } };
}

/** A refusal names the field as the client knows it. */
function inTheirWords(error: unknown): never {
  if (!isHarkError(error, 'VALIDATION_FAILED') || !Array.isArray(error.body.issues)) throw error;
  const issues = error.body.issues.map(({ path, message }) => {
    const [first, ...rest] = path;
    if (first === 'messages') return { path: ['input'], message };
    if (first === 'response_format') return { path: ['text', 'format', ...rest.slice(1)], message };
    if (first === 'tool_choice') return { path: ['tool_choice', ...rest.slice(1)], message };
    return { path, message };
  });
  throw new HarkError(error.code, { body: { issues } });
}

/** What was said before, by the log. */
class Past {
  readonly #find: FindTurn;
  readonly #known = new Map<string, Exchange | undefined>();

  constructor(find: FindTurn) {
    this.#find = find;
  }

  /** Oldest first. Where one of them was forgotten, nothing can go on from it. */
  async chainTo(responseId: string): Promise<readonly Exchange[]> {
    const chain: Exchange[] = [];
    let characters = 0;
    for (let turnId = turnIdIn(responseId); turnId !== undefined; ) {
      const exchange = await this.#turn(turnId);
      if (!exchange?.client) throw unknownResponse(responseId, 'previous_response_id');
      if (chain.push(exchange) > MOST_RESPONSES)
        throw tooMany(`Follows more than ${MOST_RESPONSES} responses`);
      characters += JSON.stringify([exchange.client.input, exchange.steps]).length;
      if (characters > MOST_CHARACTERS) throw tooMany(`Follows more than ${MOST_CHARACTERS} characters`);
      turnId = exchange.client.previous ?? undefined;
    }
    if (chain.length === 0) throw unknownResponse(responseId, 'previous_response_id');
    return chain.reverse();
  }

  /** Calls stand in the message that they came with. */
  async messagesOf(items: readonly InputItem[]): Promise<readonly Message[]> {
    const messages: Message[] = [];
    for (const item of items)
      addItem(item.type === 'item_reference' ? await this.#referred(item) : item, messages);
    return messages;
  }

  async #referred({ id }: Reference): Promise<InputItem> {
    const exchange = await this.#turn(turnIdIn(id) ?? '');
    const item = exchange && outputOf(exchange).find((one) => one.id === id);
    const { data } = inputItem().safeParse(item);
    if (!exchange?.client || !data) throw unknownResponse(id, 'input', 'Item');
    return data;
  }

  async #turn(turnId: string): Promise<Exchange | undefined> {
    if (!this.#known.has(turnId)) {
      if (this.#known.size > MOST_RESPONSES + MOST_REFERRED_TO) throw tooMany('Refers to too many responses');
      this.#known.set(turnId, await this.#find(turnId));
    }
    return this.#known.get(turnId);
  }
}

function itemsOf({ client }: Exchange): readonly InputItem[] {
  return inputItem().array().safeParse(client?.input).data ?? [];
}

function tooMany(message: string): HarkError {
  return new HarkError('VALIDATION_FAILED', { body: { issues: [{ path: ['input'], message }] } });
}

function addItem(item: InputItem, messages: Message[]): void {
  switch (item.type) {
    case 'function_call': {
      const { call_id: id, name, arguments: written } = item;
      const call = { id, type: 'function' as const, function: { name, arguments: written } };
      const last = messages.at(-1);
      if (last?.role === 'assistant')
        messages[messages.length - 1] = { ...last, tool_calls: [...(last.tool_calls ?? []), call] };
      else messages.push({ role: 'assistant', content: '', tool_calls: [call] });
      return;
    }
    case 'function_call_output': {
      const content =
        typeof item.output === 'string' ? item.output : item.output.map(({ text }) => text).join('');
      messages.push({ role: 'tool', tool_call_id: item.call_id, content });
      return;
    }
    case 'message':
    case undefined:
      messages.push(messageOf(item));
  }
}

function messageOf({ role, content }: MessageItem): Message {
  if (role !== 'user') return { role, content: typeof content === 'string' ? content : textIn(content) };
  if (typeof content === 'string') return { role, content };
  const parts = content.map((part) =>
    part.type === 'input_image'
      ? { type: 'image_url' as const, image_url: { url: part.image_url } }
      : { type: 'text' as const, text: textIn([part]) },
  );
  return { role, content: parts };
}

type Part = Exclude<MessageItem['content'], string>[number];

function textIn(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.type === 'refusal' ? part.refusal : part.type === 'input_image' ? '' : part.text))
    .join('');
}
