import type { TurnSignal } from '../../application/chat/signals.ts';
import type { TurnHandle } from '../../application/chat/turns.ts';
import type { Exchange, ExchangeEnd } from '../../projections/chat/exchange.ts';
import type { StreamMessage } from '../operation.ts';
import { callsOf, chunkOf, finishReasonOf, type Headed, usageOf } from './answer.ts';
import type { CompletionChunk, Delta } from './answerShapes.ts';

interface AnswerStreamOptions {
  readonly headed: Headed;
  readonly handle: TurnHandle;
  readonly includeUsage: boolean;
  /** What a client is told in place of the rest of the answer. Undefined for a turn that ended well. */
  readonly refusal: (end: ExchangeEnd) => object | undefined;
}

type Batch = readonly StreamMessage[];

/** A turn as OpenAI's clients listen to it, from its start to its end. */
export async function* answerStream(
  { headed, handle, includeUsage, refusal }: AnswerStreamOptions,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const message = (chunk: CompletionChunk) => ({ data: includeUsage ? { usage: null, ...chunk } : chunk });
  const speech = new Speech();
  const tell = (deltas: readonly Delta[]) => deltas.map((delta) => message(chunkOf(headed, delta)));
  for await (const batch of handle.transcript.read(undefined, signal)) {
    const deltas = batch.flatMap(({ signal: one }) => speech.hear(one));
    if (deltas.length > 0) yield tell(speech.begun(deltas));
  }
  if (signal.aborted) return;
  const exchange = await handle.ended;
  const { end } = exchange;
  const refused = end && refusal(end);
  if (refused) yield [{ data: refused }];
  if (!end || refused) return;
  yield [
    ...tell(speech.begun(callDeltas(exchange, end))),
    message(chunkOf(headed, {}, finishReasonOf(end))),
    ...(includeUsage ? [{ data: { ...chunkOf(headed, {}), choices: [], usage: usageOf(end) } }] : []),
  ];
}

/** Whole, as they come from hark's gateways: clients put together pieces of any size. */
function callDeltas(exchange: Exchange, end: ExchangeEnd): Delta[] {
  return callsOf(exchange, end).map((call, index) => ({ tool_calls: [{ index, ...call }] }));
}

/** What the model says is told; what the tools of hark do is not. Steps are set apart by an empty line. */
class Speech {
  #isBegun = false;
  readonly #wasSaid = { content: false, thinking: false };
  #isNewStep = { content: false, thinking: false };

  hear(signal: TurnSignal): Delta[] {
    if (signal.type === 'step') this.#isNewStep = { ...this.#wasSaid };
    if (signal.type !== 'content' && signal.type !== 'thinking') return [];
    const text = `${this.#isNewStep[signal.type] ? '\n\n' : ''}${signal.content}`;
    this.#isNewStep[signal.type] = false;
    this.#wasSaid[signal.type] = true;
    return [signal.type === 'content' ? { content: text } : { reasoning_content: text }];
  }

  /** The first of all says who speaks. */
  begun(deltas: readonly Delta[]): readonly Delta[] {
    if (this.#isBegun) return deltas;
    this.#isBegun = true;
    return [{ role: 'assistant', content: '' }, ...deltas];
  }
}
