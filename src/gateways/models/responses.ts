import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { EventFrames } from './frames.ts';
import type { CompletionPart, CompletionRequest, Reasoning } from './gateway.ts';
import { field, textOf } from './loose.ts';
import type { OpenAiConnection } from './openaiConnection.ts';
import { HttpError } from './providerError.ts';
import { keptOf, responseParams } from './responseItems.ts';
import { type StreamReader, streamParts } from './streaming.ts';
import { ToolNames, toolCall } from './toolNames.ts';

/** OpenAI's Responses API, of which nothing is left there: what is to be known again goes along. */
export class Responses {
  readonly #connection: OpenAiConnection;
  /** Models whose thoughts this key may not be told: some are only to organizations that OpenAI has verified. */
  readonly #silent = new Set<string>();

  constructor(connection: OpenAiConnection) {
    this.#connection = connection;
  }

  stream(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    const names = new ToolNames(request);
    return streamParts(
      {
        blamed: this.#connection.blamed(request.model),
        timeouts: this.#connection.timeouts(request.timeouts),
        frames: new EventFrames(),
        reader: new ResponseStream(names),
        open: (ended) => this.#open(request, names, ended),
      },
      signal,
    );
  }

  async #open(
    request: CompletionRequest,
    names: ToolNames,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    const responses = await this.#connection.prepared('/responses');
    const ask = () =>
      responses.post(
        responseParams(request, names, !this.#silent.has(request.model)),
        signal,
        request.traceparent,
      );
    try {
      return await ask();
    } catch (error) {
      if (this.#silent.has(request.model) || !refusesSummaries(error)) throw error;
      this.#silent.add(request.model);
      return ask();
    }
  }
}

/** "Your organization must be verified to generate reasoning summaries." */
function refusesSummaries(error: unknown): boolean {
  return (
    field(error, 'status') === 400 &&
    textOf(field(field(field(error, 'error'), 'error'), 'param')) === 'reasoning.summary'
  );
}

type Finish = Extract<CompletionPart, { type: 'finish' }>;

class ResponseStream implements StreamReader<ResponseStreamEvent> {
  readonly #names: ToolNames;
  /** Items of the answer, as they are given back. */
  readonly #kept: Readonly<Record<string, unknown>>[] = [];
  #thoughts = '';
  #calls = 0;
  #refused = false;
  #last: Response | undefined;

  constructor(names: ToolNames) {
    this.#names = names;
  }

  get ended(): boolean {
    return this.#last !== undefined;
  }

  read(event: ResponseStreamEvent, parts: CompletionPart[]): void {
    switch (event.type) {
      case 'response.output_text.delta':
        if (event.delta) parts.push({ type: 'text', text: event.delta });
        return;
      case 'response.refusal.delta':
        this.#refused = true;
        parts.push({ type: 'text', text: event.delta });
        return;
      case 'response.reasoning_summary_part.added':
        // Each part is a paragraph with a heading of its own.
        if (this.#thoughts !== '') this.#think('\n\n', parts);
        return;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#think(event.delta, parts);
        return;
      case 'response.output_item.done':
        this.#keep(event.item, parts);
        return;
      case 'response.completed':
      case 'response.incomplete':
        this.#last = event.response;
        return;
      case 'response.failed':
        throw new HttpError(event.response.error ?? {});
      case 'error':
        throw new HttpError(event);
    }
  }

  end(parts: CompletionPart[]): boolean {
    if (!this.#last) return false;
    const { usage } = this.#last;
    const reasoning = this.#reasoning();
    parts.push({
      type: 'finish',
      reason: this.#finishReason(this.#last),
      usage: { inputTokens: usage?.input_tokens ?? 0, outputTokens: usage?.output_tokens ?? 0 },
      ...(reasoning ? { reasoning } : {}),
    });
    return true;
  }

  #think(text: string, parts: CompletionPart[]): void {
    this.#thoughts += text;
    parts.push({ type: 'reasoning', text });
  }

  #keep(
    item: Extract<ResponseStreamEvent, { type: 'response.output_item.done' }>['item'],
    parts: CompletionPart[],
  ) {
    const kept = keptOf(item);
    if (kept) this.#kept.push(kept);
    if (item.type !== 'function_call') return;
    this.#calls++;
    parts.push({
      type: 'tool-call',
      call: toolCall(item.call_id, this.#names.ours(item.name), item.arguments),
    });
  }

  /** Where nothing was thought there is nothing to give back. */
  #reasoning(): Reasoning | undefined {
    const hasThought = this.#kept.some(({ type }) => type === 'reasoning');
    if (!hasThought && this.#thoughts === '') return undefined;
    return { provider: 'cloud-b', text: this.#thoughts, blocks: hasThought ? this.#kept : [] };
  }

  #finishReason({ incomplete_details: incomplete }: Response): Finish['reason'] {
    const reason = field(incomplete, 'reason');
    if (this.#refused || reason === 'content_filter') return 'refused';
    if (reason === 'max_output_tokens') return 'length';
    if (this.#calls > 0) return 'tool-calls';
    return reason === undefined ? 'stop' : 'other';
  }
}
