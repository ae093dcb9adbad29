import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '../../vocabulary.ts';
import type { FailureName, Refusal, Refused } from './failures.ts';
import type { Asked, Endpoint, ModelRequest } from './request.ts';
import type { Item, Plain, StopReason, Tokens, Trouble } from './script.ts';

/** What is done one after the other to send a streamed answer. */
export type Step =
  | { readonly type: 'frame'; readonly text: string }
  | { readonly type: 'wait'; readonly until: Promise<unknown> }
  | { readonly type: 'error'; readonly failure: FailureName }
  | { readonly type: 'trouble'; readonly trouble: Trouble };

/** A spoken reply together with the request that it answers. */
export interface Utterance {
  readonly request: ModelRequest;
  readonly items: readonly Item[];
  readonly usage: Tokens;
  readonly stop: StopReason;
}

/** How one provider says what all of them say. */
export interface Protocol {
  readonly provider: ProviderId;
  /** Under which its paths lie. */
  readonly prefix: string;
  /** Where a client is to be pointed, below the address of the server. */
  readonly base: string;
  readonly streamType: string;
  /** Of every answer. */
  headers(): Readonly<Record<string, string>>;
  endpoint(method: string, path: string): Endpoint | undefined;
  apiKey(headers: IncomingHttpHeaders): string | undefined;
  read(endpoint: Endpoint, body: unknown, path: string): Asked;
  refusal(failure: FailureName, refused: Refused): Refusal;
  /** A refusal within a stream. */
  errorFrame(refusal: Refusal, request: ModelRequest): string;
  stream(utterance: Utterance): readonly Step[];
  /** What beside model and usage makes two streams of the same reply different. */
  variant(request: ModelRequest): string;
  whole(utterance: Utterance): unknown;
  embeddings(vectors: readonly (readonly number[])[], request: ModelRequest): unknown;
  /** What it answers to everything but chats and embeddings when nothing is scripted. */
  unscripted(request: ModelRequest): Plain | undefined;
}

let lastId = 0;

/** Unlike any other of this process. */
export function newId(prefix: string): string {
  lastId++;
  return `${prefix}${lastId.toString(36).padStart(10, '0')}`;
}

export function frame(text: string): Step {
  return { type: 'frame', text };
}

/** Three at most, and none of them empty: as a model writes its JSON piece by piece. */
export function pieces(text: string): readonly string[] {
  const size = Math.max(1, Math.ceil(text.length / 3));
  const count = Math.ceil(text.length / size);
  return Array.from({ length: count }, (_, index) => text.slice(index * size, (index + 1) * size));
}

/** The arguments of a call as the model wrote them. */
export function inputText(item: Extract<Item, { type: 'call' }>): string {
  return item.rawInput ?? JSON.stringify(item.input);
}

export function saidText(items: readonly Item[], type: 'text' | 'reasoning'): string {
  return items.reduce((text, item) => (item.type === type ? text + item.text : text), '');
}

/** What goes wrong within a stream, with the bytes that belong to it; `whole` is any frame of the protocol. */
export function troubleSteps(trouble: Trouble, whole: string): readonly Step[] {
  const half = frame(whole.slice(0, whole.length / 2));
  switch (trouble) {
    case 'broken-json':
      return [frame(`${whole.trimEnd().slice(0, -3)}${whole.slice(whole.trimEnd().length)}`)];
    case 'broken-frame':
      return [frame('<html><body>502 Bad Gateway</body></html>\n\n')];
    case 'half-frame':
      return [half, { type: 'trouble', trouble }];
    default:
      return [{ type: 'trouble', trouble }];
  }
}
