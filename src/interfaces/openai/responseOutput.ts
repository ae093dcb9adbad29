import { z } from 'zod';
import { lazily } from '../../lazily.ts';
import type { Exchange, ExchangeEnd } from '../../projections/chat/exchange.ts';
import { callsOf } from './answer.ts';

/*
 * A turn as a response: `resp_` and the id of the turn. What the model thought, said and left to its client to call
 * are items, in their order; their ids are made from the turn's, so that they can be found again.
 */

const itemStatus = lazily(() => z.enum(['in_progress', 'completed', 'incomplete']));

export const textPart = lazily(() =>
  z.object({
    type: z.literal('output_text'),
    text: z.string(),
    annotations: z.array(z.never()),
    logprobs: z.array(z.never()),
  }),
);
export type TextPart = z.output<ReturnType<typeof textPart>>;

const messageOut = lazily(() =>
  z.object({
    type: z.literal('message'),
    id: z.string(),
    role: z.literal('assistant'),
    status: itemStatus(),
    content: z.array(textPart()),
  }),
);

const callOut = lazily(() =>
  z.object({
    type: z.literal('function_call'),
    id: z.string(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status: itemStatus(),
  }),
);

const thoughtOut = lazily(() =>
  z.object({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
  }),
);

export const outputItem = lazily(() => z.discriminatedUnion('type', [messageOut(), callOut(), thoughtOut()]));
export type OutputItem = z.output<ReturnType<typeof outputItem>>;

const usage = lazily(() =>
  z.object({
    input_tokens: z.int(),
    input_tokens_details: z.object({ cached_tokens: z.int() }),
    output_tokens: z.int(),
    output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    total_tokens: z.int().describe('Of all steps of the turn, those that ran tools of hark included'),
  }),
);

const jsonObject = lazily(() => z.record(z.string(), z.unknown()));

export const response = lazily(() =>
  z.object({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
    background: z.literal(false),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
    instructions: z.string().nullable(),
    max_output_tokens: z.int().nullable(),
    metadata: z.record(z.string(), z.string()),
    model: z.string(),
    output: z.array(outputItem()),
    parallel_tool_calls: z.boolean(),
    previous_response_id: z.string().nullable(),
    reasoning: z.object({ effort: z.null(), summary: z.null() }),
    store: z.boolean(),
    temperature: z.number().nullable(),
    text: z.object({ format: jsonObject() }),
    tool_choice: z.union([z.string(), jsonObject()]),
    tools: z.array(jsonObject()),
    top_p: z.null(),
    truncation: z.literal('disabled'),
    usage: usage().nullable(),
    user: z.string().nullable(),
  }),
);
export type ResponseObject = z.output<ReturnType<typeof response>>;

/** What a response says of how it was asked for. */
export type AskedFor = Omit<ResponseObject, 'status' | 'error' | 'incomplete_details' | 'output' | 'usage'>;

export function responseIdOf(turnId: string): string {
  return `resp_${turnId}`;
}

/** Of a response, or of one of its items. Undefined for what is neither. */
export function turnIdIn(id: string): string | undefined {
  return /^(?:resp_([\w-]+)|(?:msg|fc|rs)_([\w-]+)_\d+)$/.exec(id)?.slice(1).find(Boolean);
}

type Answered = Pick<Exchange, 'turnId' | 'steps' | 'end'>;
export type ItemType = OutputItem['type'];

const prefixes = { message: 'msg', function_call: 'fc', reasoning: 'rs' } as const;

export function itemId(type: ItemType, turnId: string, index: number): string {
  return `${prefixes[type]}_${turnId}_${index}`;
}

/** Steps are set apart by an empty line, as where all that is said is one text. */
export function outputOf(exchange: Answered): OutputItem[] {
  const { turnId, steps, end } = exchange;
  const items: OutputItem[] = [];
  const status = end === null || statusOf(end) === 'completed' ? 'completed' : 'incomplete';
  let wasSaid = false;
  for (const { parts } of steps) {
    let isNewStep = wasSaid;
    for (const { type, text } of parts) {
      if (text === null || text === '') continue;
      if (type === 'thinking') items.push(thoughtItem(itemId('reasoning', turnId, items.length), text));
      else {
        const said = `${isNewStep ? '\n\n' : ''}${text}`;
        items.push(messageItem(itemId('message', turnId, items.length), said, status));
        isNewStep = false;
        wasSaid = true;
      }
    }
  }
  for (const call of end ? callsOf(exchange, end) : [])
    items.push(callItem(itemId('function_call', turnId, items.length), call));
  return items;
}

export function messageItem(
  id: string,
  text: string,
  status: z.output<ReturnType<typeof itemStatus>>,
): OutputItem {
  const content = status === 'in_progress' ? [] : [partOf(text)];
  return { type: 'message', id, role: 'assistant', status, content };
}

export function partOf(text: string): TextPart {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

export function thoughtItem(id: string, text: string | null): OutputItem {
  return { type: 'reasoning', id, summary: text === null ? [] : [{ type: 'summary_text', text }] };
}

function callItem(id: string, call: ReturnType<typeof callsOf>[number]): OutputItem {
  const { name, arguments: written } = call.function;
  return { type: 'function_call', id, call_id: call.id, name, arguments: written, status: 'completed' };
}

/** As far as the turn has come; of one that failed, why. */
export function responseOf(
  asked: AskedFor,
  exchange: Answered,
  error: ResponseObject['error'] = null,
): ResponseObject {
  const { end } = exchange;
  const status = end ? statusOf(end) : 'in_progress';
  return {
    ...asked,
    status,
    error: status === 'failed' ? (error ?? { code: 'server_error', message: 'The turn failed' }) : null,
    incomplete_details: status === 'incomplete' && end ? { reason: reasonOf(end) } : null,
    output: outputOf(exchange),
    usage: end && usageOf(end),
  };
}

function statusOf({ as, metadata: { finish } }: ExchangeEnd): ResponseObject['status'] {
  if (as === 'cancelled') return 'cancelled';
  if (as === 'failed' || as === 'interrupted') return 'failed';
  return finish === 'length' || finish === 'refused' ? 'incomplete' : 'completed';
}

function reasonOf({ metadata }: ExchangeEnd): 'max_output_tokens' | 'content_filter' {
  return metadata.finish === 'length' ? 'max_output_tokens' : 'content_filter';
}

function usageOf({ metadata: { usage } }: ExchangeEnd): NonNullable<ResponseObject['usage']> {
  const { inputTokens, outputTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
