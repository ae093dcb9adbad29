import { z } from 'zod';
import type { TurnSignal } from '../../application/chat/signals.ts';
import type { TurnHandle } from '../../application/chat/turns.ts';
import { lazily } from '../../lazily.ts';
import type { StreamMessage } from '../operation.ts';
import { isGood, refusedAs } from './asking.ts';
import { openAiError } from './errors.ts';
import {
  type AskedFor,
  itemId,
  messageItem,
  type OutputItem,
  outputItem,
  partOf,
  response,
  responseOf,
  textPart,
  thoughtItem,
} from './responseOutput.ts';

const place = lazily(() => ({ item_id: z.string(), output_index: z.int() }));
const inText = lazily(() => ({ ...place(), content_index: z.literal(0) }));
const inThought = lazily(() => ({ ...place(), summary_index: z.literal(0) }));
const thought = lazily(() => z.object({ type: z.literal('summary_text'), text: z.string() }));
const numbered = lazily(() => ({ sequence_number: z.int() }));

const ofResponse = lazily(() =>
  z.object({
    type: z.enum([
      'response.created',
      'response.in_progress',
      'response.completed',
      'response.incomplete',
      'response.failed',
    ]),
    response: response(),
    ...numbered(),
  }),
);
const ofItem = lazily(() =>
  z.object({
    type: z.enum(['response.output_item.added', 'response.output_item.done']),
    output_index: z.int(),
    item: outputItem(),
    ...numbered(),
  }),
);
const ofPart = lazily(() =>
  z.object({
    type: z.enum(['response.content_part.added', 'response.content_part.done']),
    ...inText(),
    part: textPart(),
    ...numbered(),
  }),
);
const ofThought = lazily(() =>
  z.object({
    type: z.enum(['response.reasoning_summary_part.added', 'response.reasoning_summary_part.done']),
    ...inThought(),
    part: thought(),
    ...numbered(),
  }),
);

export const responseEvent = lazily(() =>
  z.discriminatedUnion('type', [
    ofResponse(),
    ofItem(),
    ofPart(),
    ofThought(),
    z.object({
      type: z.literal('response.output_text.delta'),
      ...inText(),
      delta: z.string(),
      logprobs: z.array(z.never()),
      ...numbered(),
    }),
    z.object({
      type: z.literal('response.output_text.done'),
      ...inText(),
      text: z.string(),
      logprobs: z.array(z.never()),
      ...numbered(),
    }),
    z.object({
      type: z.literal('response.reasoning_summary_text.delta'),
      ...inThought(),
      delta: z.string(),
      ...numbered(),
    }),
    z.object({
      type: z.literal('response.reasoning_summary_text.done'),
      ...inThought(),
      text: z.string(),
      ...numbered(),
    }),
    z.object({
      type: z.literal('response.function_call_arguments.delta'),
      ...place(),
      delta: z.string(),
      ...numbered(),
    }),
    z.object({
      type: z.literal('response.function_call_arguments.done'),
      ...place(),
      name: z.string(),
      arguments: z.string(),
      ...numbered(),
    }),
  ]),
);

type Event = z.output<ReturnType<typeof responseEvent>>;
type Unnumbered<One> = One extends unknown ? Omit<One, 'sequence_number'> : never;
type Batch = readonly StreamMessage[];

interface ResponseStreamOptions {
  readonly asked: AskedFor;
  readonly handle: TurnHandle;
}

/** A turn as clients of the Responses API listen to it. What fails before the first word is thrown. */
export async function* responseStream(
  { asked, handle }: ResponseStreamOptions,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const { turnId, ended } = handle;
  const teller = new Teller(asked, turnId);
  for await (const batch of handle.transcript.read(undefined, signal)) {
    for (const { signal: one } of batch) teller.hear(one);
    const messages = teller.take();
    if (messages.length > 0) yield messages;
  }
  if (signal.aborted) return;
  const exchange = await ended;
  const { end } = exchange;
  if (!end || (!isGood(end) && !teller.isBegun)) throw refusedAs(end);
  const items = responseOf(asked, exchange, errorOf(end)).output;
  teller.end(items.filter((item) => item.type === 'function_call'));
  const whole = responseOf(asked, exchange, errorOf(end));
  const { status } = whole;
  const type =
    status === 'completed' || status === 'incomplete' ? (`response.${status}` as const) : 'response.failed';
  teller.tell({ type, response: whole });
  yield teller.take();

  function errorOf(end: Parameters<typeof isGood>[0]) {
    if (isGood(end)) return null;
    const { code, message } = openAiError(refusedAs(end)).error;
    return { code: code ?? 'server_error', message };
  }
}

type OpenItem = { readonly type: 'message' | 'reasoning'; readonly id: string; text: string };

/** Items one after the other, each begun, said and done. What the tools of hark do is not told. */
class Teller {
  isBegun = false;
  readonly #asked: AskedFor;
  readonly #turnId: string;
  #messages: StreamMessage[] = [];
  #sequence = 0;
  #index = 0;
  #open: OpenItem | undefined;
  #wasSaid = false;
  #isNewStep = false;

  constructor(asked: AskedFor, turnId: string) {
    this.#asked = asked;
    this.#turnId = turnId;
  }

  hear(signal: TurnSignal): void {
    if (signal.type === 'step') {
      this.#close();
      this.#isNewStep = this.#wasSaid;
    } else if (signal.type === 'content') {
      const open = this.#opened('message');
      const delta = `${this.#isNewStep ? '\n\n' : ''}${signal.content}`;
      this.#isNewStep = false;
      this.#wasSaid = true;
      open.text += delta;
      this.tell({ type: 'response.output_text.delta', ...this.#inText(open), delta, logprobs: [] });
    } else if (signal.type === 'thinking') {
      const open = this.#opened('reasoning');
      open.text += signal.content;
      this.tell({
        type: 'response.reasoning_summary_text.delta',
        ...this.#inThought(open),
        delta: signal.content,
      });
    }
  }

  /** Calls come whole from hark's gateways, and so they are told. */
  end(calls: readonly Extract<OutputItem, { type: 'function_call' }>[]): void {
    this.begin();
    this.#close();
    for (const item of calls) {
      const output_index = this.#index++;
      const { id: item_id, name, arguments: written } = item;
      const begun = { ...item, arguments: '', status: 'in_progress' as const };
      this.tell({ type: 'response.output_item.added', output_index, item: begun });
      const at = { item_id, output_index };
      this.tell({ type: 'response.function_call_arguments.delta', ...at, delta: written });
      this.tell({ type: 'response.function_call_arguments.done', ...at, name, arguments: written });
      this.tell({ type: 'response.output_item.done', output_index, item });
    }
  }

  begin(): void {
    if (this.isBegun) return;
    this.isBegun = true;
    const begun = responseOf(this.#asked, { turnId: this.#turnId, steps: [], end: null });
    this.tell({ type: 'response.created', response: begun });
    this.tell({ type: 'response.in_progress', response: begun });
  }

  tell(event: Unnumbered<Event>): void {
    const data = { ...event, sequence_number: this.#sequence++ };
    this.#messages.push({ event: event.type, data });
  }

  take(): Batch {
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }

  #opened(type: OpenItem['type']): OpenItem {
    if (this.#open?.type === type) return this.#open;
    this.begin();
    this.#close();
    const open = { type, id: itemId(type, this.#turnId, this.#index), text: '' };
    this.#open = open;
    const item = type === 'message' ? messageItem(open.id, '', 'in_progress') : thoughtItem(open.id, null);
    this.tell({ type: 'response.output_item.added', output_index: this.#index, item });
    if (type === 'message')
      this.tell({ type: 'response.content_part.added', ...this.#inText(open), part: partOf('') });
    else
      this.tell({
        type: 'response.reasoning_summary_part.added',
        ...this.#inThought(open),
        part: { type: 'summary_text', text: '' },
      });
    return open;
  }

  #close(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    const { type, id, text } = open;
    if (type === 'message') {
      this.tell({ type: 'response.output_text.done', ...this.#inText(open), text, logprobs: [] });
      this.tell({ type: 'response.content_part.done', ...this.#inText(open), part: partOf(text) });
    } else {
      const at = this.#inThought(open);
      this.tell({ type: 'response.reasoning_summary_text.done', ...at, text });
      this.tell({
        type: 'response.reasoning_summary_part.done',
        ...at,
        part: { type: 'summary_text', text },
      });
    }
    const item = type === 'message' ? messageItem(id, text, 'completed') : thoughtItem(id, text);
    this.tell({ type: 'response.output_item.done', output_index: this.#index++, item });
  }

  #inText({ id }: OpenItem) {
    return { item_id: id, output_index: this.#index, content_index: 0 } as const;
  }

  #inThought({ id }: OpenItem) {
    return { item_id: id, output_index: this.#index, summary_index: 0 } as const;
  }
}
