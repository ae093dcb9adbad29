import { answerAsAsked } from './answerAsAsked.ts';
import { catalogModel } from './catalogModel.ts';
import type { Blamed } from './classify.ts';
import { embedInBatches, vectorOf } from './embeddings.ts';
import { ModelFailure } from './failure.ts';
import { callBySchema } from './forcedCall.ts';
import { LineFrames } from './frames.ts';
import type {
  CompletionPart,
  CompletionRequest,
  EmbeddingRequest,
  GatewayOptions,
  ListedModel,
  ModelGateway,
} from './gateway.ts';
import { field, isRecord, listOf, numberOf, textOf } from './loose.ts';
import { ollamaParams } from './ollamaMessages.ts';
import { OllamaHttp, OllamaStream } from './ollamaStream.ts';
import { keyOf, timeoutsOf } from './options.ts';
import { HttpError } from './providerError.ts';
import { callWhole, streamParts } from './streaming.ts';
import { withSchemaInWords } from './structured.ts';
import { ToolNames } from './toolNames.ts';

const BASE_URL = 'http://127.0.0.1:11434';
const BATCH = 64;
const SHOWN_AT_ONCE = 4;

export class OllamaGateway implements ModelGateway {
  readonly providerId = 'local-runner' as const;
  readonly #options: GatewayOptions;
  #client: OllamaHttp | undefined;
  /** Models that refuse a request in which thinking is asked for. */
  readonly #thoughtless = new Set<string>();

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  /** It has no SDK. */
  async prepare(): Promise<void> {}

  /** It cannot be told that a tool has to be called; a grammar holds the model to it all the same. */
  complete(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    const ask = (one: CompletionRequest) => this.#stream(one, signal);
    const blamed = this.#blamed(request.model);
    if (request.mustCall) return callBySchema(request, ask, blamed);
    return answerAsAsked(withSchemaInWords(request), ask, blamed);
  }

  #stream(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    const names = new ToolNames(request);
    return streamParts(
      {
        blamed: this.#blamed(request.model),
        timeouts: timeoutsOf(this.providerId, this.#options.timeouts, request.timeouts),
        frames: new LineFrames(),
        reader: new OllamaStream(names),
        open: (ended) => this.#open(request, names, ended),
      },
      signal,
    );
  }

  /** Which models think is not known without asking; those that do not say so. */
  async #open(
    request: CompletionRequest,
    names: ToolNames,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    const { model, reasoning, traceparent } = request;
    const think = this.#thoughtless.has(model) ? undefined : reasoning;
    try {
      return await this.#http.stream('/api/chat', ollamaParams(request, names, think), signal, traceparent);
    } catch (error) {
      if (think !== true || !refusesToThink(error)) throw error;
      this.#thoughtless.add(model);
      return this.#http.stream('/api/chat', ollamaParams(request, names, undefined), signal, traceparent);
    }
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<readonly Float32Array[]> {
    const blamed = this.#blamed(request.model);
    const embed = async (texts: readonly string[]) => {
      const answer = await this.#whole(blamed, signal, (ended) =>
        this.#http.post('/api/embed', { model: request.model, input: texts }, ended),
      );
      return listOf(field(answer, 'embeddings')).flatMap((vector) => vectorOf(vector) ?? []);
    };
    return embedInBatches(request, BATCH, embed, this.#options, blamed, signal);
  }

  /** What a model can do is told of each by itself; one that cannot be shown is listed all the same. */
  async listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
    const blamed = this.#blamed();
    const listed = field(
      await this.#whole(blamed, signal, (ended) => this.#http.get('/api/tags', ended)),
      'models',
    );
    if (!Array.isArray(listed)) throw new ModelFailure('malformed', { ...blamed, code: 'not_a_list' });
    const names = listed.flatMap((one) => textOf(field(one, 'model')) ?? textOf(field(one, 'name')) ?? []);
    const models: ListedModel[] = [];
    for (let start = 0; start < names.length; start += SHOWN_AT_ONCE) {
      const some = names.slice(start, start + SHOWN_AT_ONCE);
      models.push(...(await Promise.all(some.map((name) => this.#show(name, signal)))));
    }
    return models;
  }

  async account(): Promise<undefined> {
    return undefined;
  }

  async validate(signal: AbortSignal): Promise<void> {
    await this.#whole(this.#blamed(), signal, (ended) => this.#http.get('/api/tags', ended));
  }

  async #show(model: string, signal: AbortSignal): Promise<ListedModel> {
    const blamed = this.#blamed(model);
    try {
      const ask = (ended: AbortSignal) => this.#http.post('/api/show', { model }, ended);
      return modelOf(model, await this.#whole(blamed, signal, ask));
    } catch (error) {
      if (signal.aborted) throw error;
      return modelOf(model, undefined);
    }
  }

  get #http(): OllamaHttp {
    const { baseUrl = BASE_URL, apiKey } = this.#options;
    // Most runners want none.
    this.#client ??= new OllamaHttp(baseUrl, apiKey && keyOf(this.#options, this.providerId));
    return this.#client;
  }

  #whole(
    blamed: Blamed,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<unknown> {
    return callWhole({ blamed, timeouts: timeoutsOf(this.providerId, this.#options.timeouts) }, signal, ask);
  }

  #blamed(model?: string): Blamed {
    return { providerId: this.providerId, ...(model === undefined ? {} : { model }) };
  }
}

function refusesToThink(error: unknown): boolean {
  const message = error instanceof HttpError ? textOf(error.error) : undefined;
  return message !== undefined && /does not support thinking/.test(message);
}

/** Runs on the machine of the one who asks: it costs nothing. */
function modelOf(id: string, shown: unknown): ListedModel {
  const can = listOf(field(shown, 'capabilities'));
  const embeds = can.includes('embedding');
  const talks = shown === undefined ? undefined : can.includes('completion') || (can.length === 0 && !embeds);
  return catalogModel({
    id,
    contextLength: contextIn(field(shown, 'model_info')),
    inputPer1M: 0,
    outputPer1M: 0,
    talks,
    takesTools: can.includes('tools'),
    sees: can.includes('vision'),
    thinks: can.includes('thinking'),
    // A grammar holds whatever talks to a schema.
    structured: talks,
    embeds,
  });
}

/** Under the name of the model's architecture: `llama.context_length`. */
function contextIn(info: unknown): number | undefined {
  if (!isRecord(info)) return undefined;
  const key = Object.keys(info).find((one) => one.endsWith('.context_length'));
  return key === undefined ? undefined : numberOf(info[key]);
}
