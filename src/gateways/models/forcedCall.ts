import { randomUUID } from 'node:crypto';
import type { Blamed } from './classify.ts';
import { ModelFailure } from './failure.ts';
import type { CompletionPart, CompletionRequest, ToolCall, Usage } from './gateway.ts';
import { isRecord, parsed, textOf } from './loose.ts';
import { type Ask, structured, sum, withSchemaInWords } from './structured.ts';

type Tool = NonNullable<CompletionRequest['tools']>[number];
type Finish = Extract<CompletionPart, { type: 'finish' }>;

const nothingUsed: Usage = { inputTokens: 0, outputTokens: 0 };

/**
 * An answer that has to call a tool. Servers that are only compatible may not know of that, and then answer in words:
 * these are not told, and the model is asked for the arguments of the call alone.
 */
export async function* forcedCall(
  request: CompletionRequest,
  ask: Ask,
  blamed: Blamed,
): AsyncGenerator<CompletionPart, void, undefined> {
  const { schema: _, stop: __, ...asked } = request;
  const wanted = new Set(toolsThatCount(request).map(({ name }) => name));
  const calls: CompletionPart[] = [];
  let finish: Finish | undefined;
  for await (const part of ask(asked)) {
    if (part.type === 'finish') finish = part;
    else if (part.type === 'reasoning') yield part;
    else if (part.type === 'tool-call' && wanted.has(part.call.name)) calls.push(part);
  }
  if (!finish) throw new TypeError('An answer without an end');
  if (calls.length === 0 && finish.reason !== 'refused') {
    yield* callBySchema(request, ask, blamed, finish.usage);
    return;
  }
  yield* request.oneCall ? calls.slice(0, 1) : calls;
  yield finish;
}

/** A call as structured output: of several tools one is chosen first, and then its arguments are asked for. */
export async function* callBySchema(
  request: CompletionRequest,
  ask: Ask,
  blamed: Blamed,
  before = nothingUsed,
): AsyncGenerator<CompletionPart, void, undefined> {
  const { tools: _, mustCall: __, stop: ___, ...rest } = request;
  let used = before;
  const fill = async function* (name: string, schema: Tool['input'], words: string) {
    const system = [request.system, words].filter(Boolean).join('\n\n');
    const asked = withSchemaInWords({ ...rest, system, schema: { name, schema } });
    let text = '';
    for await (const part of structured(asked, ask, blamed)) {
      if (part.type === 'text') text += part.text;
      else if (part.type === 'reasoning') yield part;
      else if (part.type === 'finish') {
        used = sum(used, part.usage);
        const value = parsed(text);
        return { finish: part, value: isRecord(value) ? value : undefined };
      }
    }
    throw new TypeError('An answer without an end');
  };
  const tools = toolsThatCount(request);
  let chosen = tools.length === 1 ? tools[0] : undefined;
  if (!chosen) {
    const names = tools.map(({ name }) => name);
    const list = tools.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
    const { finish, value } = yield* fill('tool', choice(names), `Choose the tool to call:\n${list}`);
    if (finish.reason === 'refused') return yield { ...finish, usage: used };
    const name = textOf(value?.tool);
    chosen = tools.find((one) => one.name === name);
  }
  if (!chosen) throw new ModelFailure('malformed', { ...blamed, code: 'no_call' });
  const { name, description, input: schema } = chosen;
  const words = `Call the tool ${name} (${description}): say its arguments.`;
  const { finish, value: input } = yield* fill(name, schema, words);
  if (finish.reason === 'refused') return yield { ...finish, usage: used };
  if (!input) throw new ModelFailure('malformed', { ...blamed, code: 'no_call' });
  const call: ToolCall = { id: `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`, name, input };
  yield { type: 'tool-call', call };
  yield { type: 'finish', reason: 'tool-calls', usage: used };
}

function toolsThatCount({ tools = [], mustCall }: CompletionRequest): readonly Tool[] {
  return typeof mustCall === 'object' ? tools.filter(({ name }) => name === mustCall.name) : tools;
}

function choice(names: readonly string[]): Tool['input'] {
  return {
    type: 'object',
    properties: { tool: { type: 'string', enum: names } },
    required: ['tool'],
    additionalProperties: false,
  };
}
