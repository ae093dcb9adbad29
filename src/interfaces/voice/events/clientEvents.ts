import { z } from 'zod';
import '../../../validationWords.ts';
import { parseJsonBody } from '../../rest/jsonBody.ts';
import { itemId, itemShape } from './itemShapes.ts';
import { responseShape, sessionShape } from './sessionShapes.ts';
import { WireError } from './wireError.ts';

/* What clients send, by the names of OpenAI's Realtime API, and what is hark's own. */

const LONGEST_SESSION_MS = 24 * 60 * 60_000;
const milliseconds = z.number().nonnegative().max(LONGEST_SESSION_MS).transform(Math.round);

const shapes = [
  z.object({ type: z.literal('session.update'), session: sessionShape }),
  z.object({ type: z.literal('input_audio_buffer.append'), audio: z.string() }),
  z.object({ type: z.literal('input_audio_buffer.commit') }),
  z.object({ type: z.literal('input_audio_buffer.clear') }),
  z.object({ type: z.literal('output_audio_buffer.clear') }),
  z.object({
    type: z.literal('conversation.item.create'),
    previous_item_id: itemId.nullish(),
    item: itemShape,
  }),
  z.object({ type: z.literal('conversation.item.retrieve'), item_id: itemId }),
  z.object({ type: z.literal('conversation.item.delete'), item_id: itemId }),
  z.object({
    type: z.literal('conversation.item.truncate'),
    item_id: itemId,
    content_index: z.int().nonnegative().max(64),
    audio_end_ms: milliseconds,
  }),
  z.object({ type: z.literal('response.create'), response: responseShape.nullish() }),
  z.object({ type: z.literal('response.cancel'), response_id: itemId.nullish() }),
  z.object({ type: z.literal('hark.playback'), responseId: itemId, playedMs: milliseconds }),
] as const;

export type ClientEvent = z.output<(typeof shapes)[number]>;

const byType = new Map<string, (typeof shapes)[number]>(
  shapes.map((shape) => [shape.shape.type.value, shape] as const),
);

/** What a client sent, before it is known to be an event. */
export interface SentEvent {
  readonly eventId: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

export function parseSent(text: string): SentEvent {
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new WireError('invalid_event', 'An event is a JSON object');
  const eventId =
    'event_id' in body && typeof body.event_id === 'string' ? body.event_id.slice(0, 512) : null;
  return { eventId, body: { ...body } };
}

export function eventIn({ body }: SentEvent): ClientEvent {
  const { type } = body;
  if (type === undefined)
    throw new WireError('missing_required_parameter', 'type is missing', { param: 'type' });
  const shape = typeof type === 'string' ? byType.get(type) : undefined;
  if (!shape)
    throw new WireError('invalid_value', `type must be one of ${[...byType.keys()].join(', ')}`, {
      param: 'type',
    });
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue?.path.reduce<string>(joined, '') || null;
  const isMissing = issue !== undefined && valueAt(body, issue.path) === undefined;
  const message = issue?.message ?? 'is not valid';
  throw new WireError(
    isMissing ? 'missing_required_parameter' : 'invalid_value',
    `${param ?? 'it'} ${message}`,
    {
      param,
    },
  );
}

function parseJson(text: string): unknown {
  try {
    return parseJsonBody(text);
  } catch (error) {
    const { body } = Object(error);
    const message = body?.issues?.[0]?.message;
    throw new WireError('invalid_json', typeof message === 'string' ? message : 'An event is a JSON object');
  }
}

function joined(all: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${all}[${key}]`;
  return all === '' ? String(key) : `${all}.${String(key)}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => Object(inner)[key], value);
}
