import { type Blamed, classify } from './classify.ts';
import { Deadlines } from './deadlines.ts';
import { ModelFailure } from './failure.ts';
import type { CompletionPart, ModelTimeouts } from './gateway.ts';

/** Makes parts of one provider's events; made anew for each answer. */
export interface StreamReader<Event> {
  /** Adds to `parts` what the event says. */
  read(event: Event, parts: CompletionPart[]): void;
  /** After the last event: adds what is left to say, `finish` last. False when the answer broke off. */
  end(parts: CompletionPart[]): boolean;
}

export interface StreamedCall<Event> {
  readonly blamed: Blamed;
  readonly timeouts: ModelTimeouts;
  readonly reader: StreamReader<Event>;
  open(signal: AbortSignal): Promise<AsyncIterable<Event>>;
}

/**
 * The one loop through which every answer comes. It is the only layer over the SDK's own iterator, because each
 * layer of generators costs every token some turns of the microtask queue; `parts` is used again and again.
 */
export async function* streamParts<Event>(
  { blamed, timeouts, reader, open }: StreamedCall<Event>,
  caller: AbortSignal,
): AsyncGenerator<CompletionPart, void, undefined> {
  using deadlines = new Deadlines(caller, timeouts, blamed);
  const parts: CompletionPart[] = [];
  try {
    if (deadlines.failure) throw deadlines.failure;
    const events = await open(deadlines.signal);
    deadlines.answered();
    for await (const event of events) {
      reader.read(event, parts);
      if (parts.length === 0) {
        deadlines.alive();
        continue;
      }
      deadlines.hold();
      for (const part of parts) yield part;
      parts.length = 0;
      deadlines.release();
    }
    // The SDKs end a stream that was aborted as if it were complete.
    if (deadlines.failure) throw deadlines.failure;
    if (!reader.end(parts)) throw new ModelFailure('network', { ...blamed, code: 'stream_cut' });
    deadlines.hold();
    yield* parts;
  } catch (error) {
    throw deadlines.failure ?? classify(error, blamed);
  }
}

/** The same for an answer that comes as a whole. */
export async function callWhole<Answer>(
  { blamed, timeouts }: { readonly blamed: Blamed; readonly timeouts: ModelTimeouts },
  caller: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  using deadlines = Deadlines.whole(caller, timeouts, blamed);
  try {
    if (deadlines.failure) throw deadlines.failure;
    return await ask(deadlines.signal);
  } catch (error) {
    throw deadlines.failure ?? classify(error, blamed);
  }
}
