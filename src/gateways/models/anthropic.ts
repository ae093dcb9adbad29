import type Anthropic from '@anthropic-ai/sdk';
import { answerAsAsked } from './answerAsAsked.ts';
import { anthropicParams } from './anthropicMessages.ts';
import { AnthropicStream } from './anthropicStream.ts';
import { jsonOf } from './boundedBody.ts';
import { catalogModel } from './catalogModel.ts';
import { ModelFailure } from './failure.ts';
import { anthropicFamily } from './families.ts';
import { EventFrames } from './frames.ts';
import type {
  CompletionPart,
  CompletionRequest,
  EmbeddingRequest,
  GatewayOptions,
  ListedModel,
  ModelGateway,
} from './gateway.ts';
import { loadGently } from './loadGently.ts';
import { field, isRecord, listOf, numberOf, textOf } from './loose.ts';
import { keyOf, sdkOptions, timeoutsOf } from './options.ts';
import { PreparedCall } from './preparedCall.ts';
import { callWhole, streamParts } from './streaming.ts';
import { ToolNames } from './toolNames.ts';

const BASE_URL = 'https://api.anthropic.com';
const PAGE = 1_000;
const MOST_PAGES = 10;

export class AnthropicGateway implements ModelGateway {
  readonly providerId = 'cloud-a' as const;
  readonly #options: GatewayOptions;
  #client: Promise<Anthropic> | undefined;
  #messages: Promise<PreparedCall> | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  complete(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    const blamed = { providerId: this.providerId, model: request.model };
    return answerAsAsked(request, (one) => this.#stream(one, signal), blamed);
  }

  #stream(request: CompletionRequest, signal: AbortSignal): AsyncIterable<CompletionPart> {
    const names = new ToolNames(request);
    return streamParts(
      {
        blamed: { providerId: this.providerId, model: request.model },
        timeouts: timeoutsOf(this.providerId, this.#options.timeouts, request.timeouts),
        frames: new EventFrames(),
        reader: new AnthropicStream(names),
        open: async (ended) =>
          (await this.#speak()).post(anthropicParams(request, names), ended, request.traceparent),
      },
      signal,
    );
  }

  async embed({ model }: EmbeddingRequest): Promise<readonly Float32Array[]> {
    throw new ModelFailure('model-unknown', { providerId: this.providerId, model, code: 'no_embeddings' });
  }

  async listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
    const models: ListedModel[] = [];
    let after: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const answer = await this.#list(PAGE, after, signal);
      models.push(...listOf(field(answer, 'data')).flatMap(modelOf));
      after = textOf(field(answer, 'last_id'));
      if (field(answer, 'has_more') !== true || after === undefined) break;
    }
    return models;
  }

  async account(): Promise<undefined> {
    return undefined;
  }

  async validate(signal: AbortSignal): Promise<void> {
    await this.#list(1, undefined, signal);
  }

  async #list(limit: number, after: string | undefined, signal: AbortSignal): Promise<unknown> {
    const blamed = { providerId: this.providerId };
    const query = { limit, ...(after === undefined ? {} : { after_id: after }) };
    const answer: unknown = await callWhole(
      { blamed, timeouts: timeoutsOf(this.providerId, this.#options.timeouts) },
      signal,
      async (ended) => {
        const client = await this.#connect();
        return jsonOf(await client.get('/v1/models', { query, signal: ended }).asResponse(), blamed);
      },
    );
    if (Array.isArray(field(answer, 'data'))) return answer;
    throw new ModelFailure('malformed', { ...blamed, code: 'not_a_list' });
  }

  async prepare(): Promise<void> {
    await this.#connect();
  }

  #speak(): Promise<PreparedCall> {
    this.#messages ??= this.#connect().then((client) => PreparedCall.of(client, '/v1/messages'));
    return this.#messages;
  }

  #connect(): Promise<Anthropic> {
    this.#client ??= this.#load();
    return this.#client;
  }

  async #load(): Promise<Anthropic> {
    const apiKey = keyOf(this.#options, this.providerId);
    await loadGently('@anthropic-ai/sdk');
    const { default: Client } = await import('@anthropic-ai/sdk');
    return new Client({
      ...sdkOptions,
      apiKey,
      baseURL: this.#options.baseUrl ?? BASE_URL,
      // Would tell what is said to whoever collects traces in this process.
      openTelemetry: false,
    });
  }
}

function modelOf(info: unknown): ListedModel[] {
  const id = textOf(field(info, 'id'));
  if (id === undefined) return [];
  const family = anthropicFamily(id);
  const told = field(info, 'capabilities');
  const can = (name: string) =>
    isRecord(told) ? field(field(told, name), 'supported') === true : family !== undefined;
  return [
    catalogModel({
      id,
      name: textOf(field(info, 'display_name')),
      contextLength: numberOf(field(info, 'max_input_tokens')) ?? family?.context,
      maxOutputTokens: numberOf(field(info, 'max_tokens')) ?? family?.output,
      inputPer1M: family?.prices?.[0],
      outputPer1M: family?.prices?.[1],
      deprecatedAt: textOf(field(info, 'retires_at'))?.slice(0, 10),
      talks: true,
      takesTools: true,
      sees: can('image_input'),
      thinks: can('thinking'),
      structured: can('structured_outputs'),
    }),
  ];
}
