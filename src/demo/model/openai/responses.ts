import type {
  Response,
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { field, listOf } from '../loose.ts';
import { frame, inputText, newId, pieces, type Step, troubleSteps, type Utterance } from '../protocol.ts';
import type { ModelRequest } from '../request.ts';
import type { Item } from '../script.ts';

/** Fixed, so that equal replies are equal bytes. */
const CREATED = 1_767_322_800;

type Without<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;
type Said = Without<ResponseStreamEvent>;

/** The Responses API: items of output, each begun, said in pieces and done. */
export function responseSteps(utterance: Utterance): readonly Step[] {
  const writer = new Writer(utterance);
  return writer.write();
}

export function responseOf(utterance: Utterance): Omit<Response, 'output_text'> {
  const output: ResponseOutputItem[] = [];
  for (const group of groupsOf(utterance.items)) {
    if (group.type !== 'aside') output.push(itemOf(group.items, utterance.request));
  }
  const { output_text: _, ...sent } = closed(newId('resp_'), utterance, output);
  return sent;
}

/** As the service sends it before it closes the stream. */
export function responseErrorFrame(body: unknown): string {
  return `event: error\ndata: ${JSON.stringify({ type: 'error', sequence_number: 9, error: field(body, 'error') })}\n\n`;
}

/** In what two streams of the same reply may differ. */
export function responseVariant({ body }: ModelRequest): string {
  return [tellsSummaries(body), encrypts(body)].join();
}

class Writer {
  readonly #utterance: Utterance;
  readonly #steps: Step[] = [];
  readonly #output: ResponseOutputItem[] = [];
  readonly #id = newId('resp_');
  #number = 0;

  constructor(utterance: Utterance) {
    this.#utterance = utterance;
  }

  write(): readonly Step[] {
    const begun = responseBase(this.#id, this.#utterance.request, 'in_progress', []);
    this.#say({ type: 'response.created', response: begun });
    this.#say({ type: 'response.in_progress', response: begun });
    for (const group of groupsOf(this.#utterance.items)) {
      if (group.type === 'aside') this.#aside(group.item);
      else this.#item(group.items);
    }
    const response = closed(this.#id, this.#utterance, this.#output);
    this.#say({
      type: response.status === 'incomplete' ? 'response.incomplete' : 'response.completed',
      response,
    });
    return this.#steps;
  }

  #aside(item: Aside): void {
    if (item.type !== 'trouble') this.#steps.push(item);
    else this.#steps.push(...troubleSteps(item.trouble, this.#text(this.#delta('broken', 'msg_broken'))));
  }

  #item(items: readonly Spoken[]): void {
    const item = itemOf(items, this.#utterance.request);
    const index = this.#output.length;
    this.#say({ type: 'response.output_item.added', output_index: index, item: begunOf(item) });
    if (item.type === 'reasoning') this.#think(item, items);
    else if (item.type === 'message') this.#speak(item, items);
    else if (item.type === 'function_call') this.#call(item);
    this.#output.push(item);
    this.#say({ type: 'response.output_item.done', output_index: index, item });
  }

  #think({ id, summary }: ResponseReasoningItem, items: readonly Spoken[]): void {
    const [part] = summary;
    if (!part) return;
    const place = { item_id: id, output_index: this.#output.length, summary_index: 0 };
    this.#say({
      type: 'response.reasoning_summary_part.added',
      ...place,
      part: { type: 'summary_text', text: '' },
    });
    for (const item of items)
      if (item.type === 'reasoning')
        this.#say({ type: 'response.reasoning_summary_text.delta', ...place, delta: item.text });
    this.#say({ type: 'response.reasoning_summary_text.done', ...place, text: part.text });
    this.#say({ type: 'response.reasoning_summary_part.done', ...place, part });
  }

  #speak({ id, content }: ResponseOutputMessage, items: readonly Spoken[]): void {
    const [part] = content;
    if (part?.type !== 'output_text') return;
    const place = { item_id: id, output_index: this.#output.length, content_index: 0 };
    this.#say({ type: 'response.content_part.added', ...place, part: { ...part, text: '' } });
    for (const item of items) if (item.type === 'text') this.#say(this.#delta(item.text, id));
    this.#say({ type: 'response.output_text.done', ...place, text: part.text, logprobs: [] });
    this.#say({ type: 'response.content_part.done', ...place, part });
  }

  #delta(delta: string, id: string): Said {
    const place = { item_id: id, output_index: this.#output.length, content_index: 0 };
    return { type: 'response.output_text.delta', ...place, delta, logprobs: [] };
  }

  #call({ id = '', arguments: written }: ResponseFunctionToolCall): void {
    const place = { item_id: id, output_index: this.#output.length };
    for (const delta of pieces(written))
      this.#say({ type: 'response.function_call_arguments.delta', ...place, delta });
    this.#say({ type: 'response.function_call_arguments.done', ...place, arguments: written });
  }

  #say(said: Said): void {
    this.#steps.push(frame(this.#text(said)));
  }

  #text(said: Said): string {
    return `event: ${said.type}\ndata: ${JSON.stringify({ ...said, sequence_number: this.#number++ }, withoutOurs)}\n\n`;
  }
}

/** The client puts `output_text` together itself; it is not sent. */
function withoutOurs(key: string, value: unknown): unknown {
  return key === 'output_text' ? undefined : value;
}

type Aside = Extract<Item, { type: 'trouble' | 'error' | 'wait' }>;
type Spoken = Exclude<Item, Aside>;
type Group =
  | { readonly type: 'aside'; readonly item: Aside }
  | { readonly type: 'item'; readonly items: readonly Spoken[] };

/**
 * Texts that follow each other are one message, thoughts one item, and each call is one of its own. What happens in
 * between cuts an item in two: that it does so is of no interest here.
 */
function groupsOf(items: readonly Item[]): readonly Group[] {
  const groups: Group[] = [];
  let open: Spoken[] = [];
  for (const item of items) {
    if (item.type === 'trouble' || item.type === 'error' || item.type === 'wait') {
      groups.push({ type: 'aside', item });
      open = [];
    } else if (open[0]?.type === item.type && item.type !== 'call' && item.type !== 'redacted')
      open.push(item);
    else {
      open = [item];
      groups.push({ type: 'item', items: open });
    }
  }
  return groups;
}

function itemOf(items: readonly Spoken[], { body }: ModelRequest): ResponseOutputItem {
  const [first] = items;
  const text = items.map((item) => ('text' in item ? item.text : '')).join('');
  switch (first?.type) {
    case 'call':
      return {
        type: 'function_call',
        id: newId('fc_'),
        call_id: first.id ?? newId('call_'),
        name: first.name,
        arguments: inputText(first),
        status: 'completed',
      };
    case 'reasoning':
    case 'redacted':
      return {
        type: 'reasoning',
        id: newId('rs_'),
        summary: text !== '' && tellsSummaries(body) ? [{ type: 'summary_text', text }] : [],
        ...(encrypts(body) ? { encrypted_content: secretOf(items) } : {}),
      };
    default:
      return {
        type: 'message',
        id: newId('msg_'),
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
      };
  }
}

function begunOf(item: ResponseOutputItem): ResponseOutputItem {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  if (item.type === 'function_call') return { ...item, status: 'in_progress', arguments: '' };
  return item.type === 'reasoning' ? { ...item, summary: [] } : item;
}

function secretOf(items: readonly Spoken[]): string {
  const last = items.at(-1);
  if (last?.type === 'redacted') return last.data;
  return (last?.type === 'reasoning' ? last.signature : undefined) ?? 'gAAAAscripted';
}

function tellsSummaries(body: unknown): boolean {
  return typeof field(field(body, 'reasoning'), 'summary') === 'string';
}

function encrypts(body: unknown): boolean {
  return listOf(field(body, 'include')).includes('reasoning.encrypted_content');
}

function closed(id: string, { request, stop, usage }: Utterance, output: ResponseOutputItem[]): Response {
  const reason =
    stop === 'length' ? 'max_output_tokens' : stop === 'refused' ? ('content_filter' as const) : undefined;
  return {
    ...responseBase(id, request, reason === undefined ? 'completed' : 'incomplete', output),
    incomplete_details: reason === undefined ? null : { reason },
    usage: {
      input_tokens: usage.inputTokens,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: usage.outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  };
}

function responseBase(
  id: string,
  { model }: ModelRequest,
  status: 'in_progress' | 'completed' | 'incomplete',
  output: ResponseOutputItem[],
): Response {
  return {
    id,
    object: 'response',
    access_programs: null,
    created_at: CREATED,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model,
    output,
    output_text: '',
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
  };
}
