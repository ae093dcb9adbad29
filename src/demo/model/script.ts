import type { FailureName } from './failures.ts';

/*
 * What a test has a scripted model say. A reply is a plain object: `{...says('Hel', 'lo'), paceMs: 5}`.
 * The same reply is spoken in the protocol of whoever asks, as a stream or whole.
 */

/**
 * What goes wrong at a place within an answer that has begun, with status 200. A broken connection may overtake
 * what was said just before at the client: where that has to be heard, put a `waits` between them.
 */
export type Trouble =
  /** The connection is reset. */
  | 'reset'
  /** The connection ends without the end of the body. */
  | 'cut'
  /** The body ends as if it were complete, and the rest of the answer is missing. */
  | 'end'
  /** Nothing more comes, and the connection stays. */
  | 'hang'
  /** A frame whose JSON is none; then the rest, as if nothing had been. */
  | 'broken-json'
  /** A frame that is none, as of a proxy that writes into the stream; then the rest. */
  | 'broken-frame'
  /** Half a frame, and a proper end of the body. */
  | 'half-frame';

export type Item =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly signature?: string }
  /** Anthropic's redacted_thinking, OpenRouter's reasoning.encrypted; nothing where there is no such thing. */
  | { readonly type: 'redacted'; readonly data: string }
  | {
      readonly type: 'call';
      readonly name: string;
      readonly input: unknown;
      readonly id?: string;
      /** The input as the model wrote it, where that is not JSON. */
      readonly rawInput?: string;
    }
  | { readonly type: 'trouble'; readonly trouble: Trouble }
  /** An error told within the stream, in the provider's words. */
  | { readonly type: 'error'; readonly failure: FailureName }
  | { readonly type: 'wait'; readonly until: Promise<unknown> };

export type StopReason = 'stop' | 'tool-calls' | 'length' | 'refused';

export interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

interface Timed {
  /** Before the headers. */
  readonly delayMs?: number;
}

export interface Spoken extends Timed {
  readonly kind: 'spoken';
  readonly items: readonly Item[];
  readonly usage?: Tokens;
  /** Follows from what is said when not given. */
  readonly stop?: StopReason;
  /** Between two frames; 0 is one frame for each turn of the event loop. Without it, frames travel together. */
  readonly paceMs?: number;
}

export interface Failed extends Timed {
  readonly kind: 'failed';
  readonly failure: FailureName;
  /** In the header `Retry-After`, and where the provider does so, in the body's words. */
  readonly retryAfterSeconds?: number;
}

/** Sent as it is: catalogs that are huge or wrong, pages of proxies, bodies that nobody expects. */
export interface Plain extends Timed {
  readonly kind: 'plain';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** As it is too, piece by piece: what the protocols do not foresee, and progress of a pull. */
export interface Pieces extends Timed {
  readonly kind: 'pieces';
  readonly contentType: string;
  readonly pieces: readonly (string | Extract<Item, { type: 'trouble' | 'wait' }>)[];
  readonly paceMs?: number;
}

export interface Vectors extends Timed {
  readonly kind: 'vectors';
  readonly vectors: readonly (readonly number[])[];
}

/** Before any header: nothing ever comes, or the connection is reset. */
export interface Unanswered extends Timed {
  readonly kind: 'unanswered';
  readonly how: 'silent' | 'reset';
}

export type Reply = Spoken | Failed | Plain | Pieces | Vectors | Unanswered;

/** Each string is a chunk of its own. */
export function says(...items: readonly (string | Item)[]): Spoken {
  return {
    kind: 'spoken',
    items: items.map((item) => (typeof item === 'string' ? { type: 'text', text: item } : item)),
  };
}

/** As one JSON text in chunks of `chunk` characters. */
export function saysJson(value: unknown, chunk = 16): Spoken {
  const text = JSON.stringify(value);
  const count = Math.ceil(text.length / chunk);
  return says(...Array.from({ length: count }, (_, index) => text.slice(index * chunk, (index + 1) * chunk)));
}

/** Successive ones form one block, which ends with the signature. */
export function thinks(text: string, signature?: string): Item {
  return { type: 'reasoning', text, ...(signature === undefined ? {} : { signature }) };
}

export function redacted(data: string): Item {
  return { type: 'redacted', data };
}

/** The name as the provider was given it. The id is made up, and new each time, unless given. */
export function calls(name: string, input: unknown = {}, id?: string): Item {
  return { type: 'call', name, input, ...(id === undefined ? {} : { id }) };
}

/** A call whose input is not the JSON that it should be. */
export function callsBadly(name: string, rawInput: string): Item {
  return { type: 'call', name, input: {}, rawInput };
}

export function breaks(trouble: Trouble): Extract<Item, { type: 'trouble' }> {
  return { type: 'trouble', trouble };
}

export function breaksWith(failure: FailureName): Item {
  return { type: 'error', failure };
}

/** Goes on when the test says so. */
export function waits(until: Promise<unknown>): Extract<Item, { type: 'wait' }> {
  return { type: 'wait', until };
}

export function fails(failure: FailureName, retryAfterSeconds?: number): Failed {
  return { kind: 'failed', failure, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

export function embeds(...vectors: readonly (readonly number[])[]): Vectors {
  return { kind: 'vectors', vectors };
}

export function silent(): Unanswered {
  return { kind: 'unanswered', how: 'silent' };
}

export function resets(): Unanswered {
  return { kind: 'unanswered', how: 'reset' };
}

/** JSON unless it is text already. */
export function sends(status: number, body: unknown, headers: Record<string, string> = {}): Plain {
  return {
    kind: 'plain',
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

export function sendsPieces(contentType: string, ...pieces: Pieces['pieces']): Pieces {
  return { kind: 'pieces', contentType, pieces };
}
