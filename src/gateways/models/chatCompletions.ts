import type OpenAI from 'openai';
import type { ProviderId } from '../../vocabulary.ts';
import { chatParams, type WithReasoning } from './chatMessages.ts';
import { ChatStream, type ReasoningKeeper } from './chatStream.ts';
import type { Blamed } from './classify.ts';
import { embedInBatches, vectorOf } from './embeddings.ts';
import { ModelFailure } from './failure.ts';
import { EventFrames } from './frames.ts';
import type {
  CompletionPart,
  CompletionRequest,
  EmbeddingRequest,
  GatewayOptions,
  ModelTimeouts,
} from './gateway.ts';
import { loadGently } from './loadGently.ts';
import { field, listOf, numberOf } from './loose.ts';
import { keyOf, sdkOptions, timeoutsOf } from './options.ts';
import { callWhole, streamParts } from './streaming.ts';
import { structured } from './structured.ts';
import { ToolNames } from './toolNames.ts';

type Params = OpenAI.ChatCompletionCreateParamsStreaming;

/** In what the providers differ that speak Chat Completions. */
export interface ChatDialect {
  readonly providerId: ProviderId;
  readonly baseUrl: string;
  readonly paramsOf: (request: CompletionRequest) => Partial<Params>;
  readonly withReasoning: WithReasoning;
  readonly keeper: () => ReasoningKeeper;
}

/** Far below what any of them takes at once, and enough for the way there not to count. */
const BATCH = 128;

/** Chat Completions over the `openai` SDK, which is loaded on first use. */
export class ChatCompletions {
  readonly #options: GatewayOptions;
  readonly #dialect: ChatDialect;
  #client: Promise<OpenAI> | undefined;

  constructor(options: GatewayOptions, dialect: ChatDialect) {
    this.#options = options;
    this.#dialect = dialect;
  }

  complete(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    if (!request.schema) return this.#stream(request, signal);
    return structured(request, (one) => this.#stream(one, signal), this.#blamed(request.model));
  }

  #stream(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    const { paramsOf, withReasoning, keeper } = this.#dialect;
    const names = new ToolNames(request);
    return streamParts(
      {
        blamed: this.#blamed(request.model),
        timeouts: this.#timeouts(request.timeouts),
        frames: new EventFrames(),
        reader: new ChatStream(names, keeper()),
        open: async (ended) =>
          (await this.#connect()).chat.completions
            .create({ ...chatParams(request, names, withReasoning), ...paramsOf(request) }, { signal: ended })
            .asResponse(),
      },
      signal,
    );
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<readonly Float32Array[]> {
    const blamed = this.#blamed(request.model);
    const embed = async (texts: readonly string[]) => {
      const answer = await this.#whole(blamed, signal, async (ended) =>
        (await this.#connect()).post('/embeddings', {
          // A quarter of the bytes, and no number to parse.
          body: { model: request.model, input: texts, encoding_format: 'base64' },
          signal: ended,
        }),
      );
      return vectorsIn(answer);
    };
    return embedInBatches(request, BATCH, embed, this.#options, blamed, signal);
  }

  /** What a list of the provider holds. */
  async list(path: string, signal: AbortSignal): Promise<readonly unknown[]> {
    const data = field(await this.get(path, signal), 'data');
    if (Array.isArray(data)) return data;
    throw new ModelFailure('malformed', { ...this.#blamed(), code: 'not_a_list' });
  }

  get(path: string, signal: AbortSignal): Promise<unknown> {
    return this.#whole(this.#blamed(), signal, async (ended) =>
      (await this.#connect()).get(path, { signal: ended }),
    );
  }

  async prepare(): Promise<void> {
    await this.#connect();
  }

  #whole(
    blamed: Blamed,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<unknown> {
    return callWhole({ blamed, timeouts: this.#timeouts() }, signal, ask);
  }

  #blamed(model?: string): Blamed {
    return { providerId: this.#dialect.providerId, ...(model === undefined ? {} : { model }) };
  }

  #timeouts(given?: Partial<ModelTimeouts>): ModelTimeouts {
    return timeoutsOf(this.#dialect.providerId, this.#options.timeouts, given);
  }

  #connect(): Promise<OpenAI> {
    this.#client ??= this.#load();
    return this.#client;
  }

  async #load(): Promise<OpenAI> {
    const apiKey = keyOf(this.#options, this.#dialect.providerId);
    await loadGently('openai');
    const { default: Client } = await import('openai');
    return new Client({
      ...sdkOptions,
      apiKey,
      baseURL: this.#options.baseUrl ?? this.#dialect.baseUrl,
      // What the environment says beside the key is for OpenAI's eyes, and partly secret.
      adminAPIKey: null,
      webhookSecret: null,
      ...(this.#dialect.providerId === 'cloud-b' ? {} : { organization: null, project: null }),
    });
  }
}

/** In the order of the texts, which is not always the order of the answer. */
function vectorsIn(answer: unknown): readonly Float32Array[] {
  return listOf(field(answer, 'data'))
    .map((one, position) => ({
      at: numberOf(field(one, 'index')) ?? position,
      vector: vectorOf(field(one, 'embedding')),
    }))
    .sort((one, other) => one.at - other.at)
    .flatMap(({ vector }) => vector ?? []);
}
