import { EventFrames } from './frames.ts';
import type { CompletionPart, CompletionRequest } from './gateway.ts';
import { field, textOf } from './loose.ts';
import type { OpenAiConnection } from './openaiConnection.ts';
import { responseParams } from './responseItems.ts';
import { ResponseStream } from './responseStream.ts';
import { streamParts } from './streaming.ts';
import { ToolNames } from './toolNames.ts';

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
      responses.post(responseParams(request, names, !this.#silent.has(request.model)), signal);
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
