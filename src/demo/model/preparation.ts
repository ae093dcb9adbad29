import type { FailureName } from './failures.ts';
import { frame, type Protocol, type Step, type Utterance } from './protocol.ts';
import type { ModelRequest } from './request.ts';
import type { Pieces, Spoken, StopReason, Trouble } from './script.ts';

/** A step as it is sent. */
export type Prepared =
  | { readonly type: 'bytes'; readonly bytes: Buffer }
  | { readonly type: 'wait'; readonly until: Promise<unknown> }
  | { readonly type: 'error'; readonly failure: FailureName }
  | { readonly type: 'trouble'; readonly trouble: Trouble };

/** As much is handed to the socket at once; a reader that is slower holds up the rest. */
const LARGEST_WRITE = 32 * 1024;
const CHARACTERS_PER_TOKEN = 4;

/** Of replies that are given again and again: benchmarks are to measure the client. */
const known = new WeakMap<Spoken, Map<string, readonly Prepared[]>>();

export function prepareStream(protocol: Protocol, reply: Spoken, request: ModelRequest): readonly Prepared[] {
  const utterance = utteranceOf(reply, request);
  // Ids of calls are new each time.
  if (reply.items.some((item) => item.type === 'call' && item.id === undefined)) {
    return prepared(protocol.stream(utterance), reply.paceMs !== undefined);
  }
  const key = [
    protocol.provider,
    request.model,
    utterance.usage.inputTokens,
    protocol.variant(request),
  ].join();
  const found = known.get(reply)?.get(key);
  if (found) return found;
  const steps = prepared(protocol.stream(utterance), reply.paceMs !== undefined);
  const variants = known.get(reply) ?? new Map<string, readonly Prepared[]>();
  known.set(reply, variants.set(key, steps));
  return steps;
}

export function preparePieces({ pieces, paceMs }: Pieces): readonly Prepared[] {
  const steps = pieces.map((piece) => (typeof piece === 'string' ? frame(piece) : piece));
  return prepared(steps, paceMs !== undefined);
}

export function utteranceOf(reply: Spoken, request: ModelRequest): Utterance {
  return {
    request,
    items: reply.items,
    usage: reply.usage ?? {
      inputTokens: tokens(request.turns.reduce((length, { text }) => length + text.length, 0)),
      outputTokens: tokens(reply.items.reduce((length, item) => length + lengthOf(item), 0)),
    },
    stop: reply.stop ?? impliedStop(reply),
  };
}

/** One write for each frame, or for as many as fit. */
function prepared(steps: readonly Step[], separately: boolean): readonly Prepared[] {
  const result: Prepared[] = [];
  let frames = '';
  const flush = () => {
    if (frames !== '') result.push({ type: 'bytes', bytes: Buffer.from(frames) });
    frames = '';
  };
  for (const step of steps) {
    if (step.type === 'frame') {
      frames += step.text;
      if (separately || frames.length >= LARGEST_WRITE) flush();
    } else {
      flush();
      result.push(step);
    }
  }
  flush();
  return result;
}

function impliedStop({ items }: Spoken): StopReason {
  return items.some(({ type }) => type === 'call') ? 'tool-calls' : 'stop';
}

function lengthOf(item: Spoken['items'][number]): number {
  if (item.type === 'text' || item.type === 'reasoning') return item.text.length;
  return item.type === 'call' ? JSON.stringify(item.input).length : 0;
}

function tokens(characters: number): number {
  return Math.max(1, Math.ceil(characters / CHARACTERS_PER_TOKEN));
}
