import type OpenAI from 'openai';
import type { ProviderId } from '../../vocabulary.ts';
import { jsonIn, jsonOf } from './boundedBody.ts';
import type { Blamed } from './classify.ts';
import { embedInBatches, vectorOf } from './embeddings.ts';
import { ModelFailure } from './failure.ts';
import type { EmbeddingRequest, GatewayOptions, ModelTimeouts } from './gateway.ts';
import { loadGently } from './loadGently.ts';
import { field, listOf, numberOf } from './loose.ts';
import { keyOf, sdkOptions, timeoutsOf } from './options.ts';
import { PreparedCall } from './preparedCall.ts';
import { callWhole } from './streaming.ts';

/** Far below what any of them takes at once, and enough for the way there not to count. */
const BATCH = 128;
/** Also of a server that knows no base64, and writes out every number. */
const LONGEST_VECTORS = 64 * 2 ** 20;

/** To a provider that is asked over the `openai` SDK, which is loaded on first use. */
export class OpenAiConnection {
  readonly #options: GatewayOptions;
  readonly #providerId: ProviderId;
  readonly #baseUrl: string;
  readonly #prepared = new Map<string, PreparedCall>();
  #client: Promise<OpenAI> | undefined;

  constructor(options: GatewayOptions, providerId: ProviderId, baseUrl: string) {
    this.#options = options;
    this.#providerId = providerId;
    this.#baseUrl = options.baseUrl ?? baseUrl;
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<readonly Float32Array[]> {
    const blamed = this.blamed(request.model);
    const embed = async (texts: readonly string[]) => {
      const answer = await this.#whole(blamed, signal, async (ended) => {
        const call = await this.prepared('/embeddings');
        // A quarter of the bytes, and no number to parse.
        const asked = { model: request.model, input: texts, encoding_format: 'base64' };
        return jsonIn(await call.post(asked, ended), blamed, LONGEST_VECTORS);
      });
      return vectorsIn(answer);
    };
    return embedInBatches(request, BATCH, embed, this.#options, blamed, signal);
  }

  /** What a list of the provider holds. */
  async list(path: string, signal: AbortSignal): Promise<readonly unknown[]> {
    const data = field(await this.get(path, signal), 'data');
    if (Array.isArray(data)) return data;
    throw new ModelFailure('malformed', { ...this.blamed(), code: 'not_a_list' });
  }

  get(path: string, signal: AbortSignal): Promise<unknown> {
    const blamed = this.blamed();
    return this.#whole(blamed, signal, async (ended) => {
      const client = await this.client();
      return jsonOf(await client.get(path, { signal: ended }).asResponse(), blamed);
    });
  }

  /** For what is asked again and again. */
  async prepared(path: string): Promise<PreparedCall> {
    const prepared = this.#prepared.get(path);
    if (prepared) return prepared;
    const call = await PreparedCall.of(await this.client(), path);
    this.#prepared.set(path, call);
    return call;
  }

  client(): Promise<OpenAI> {
    this.#client ??= this.#load();
    return this.#client;
  }

  blamed(model?: string): Blamed {
    return { providerId: this.#providerId, ...(model === undefined ? {} : { model }) };
  }

  timeouts(given?: Partial<ModelTimeouts>): ModelTimeouts {
    return timeoutsOf(this.#providerId, this.#options.timeouts, given);
  }

  #whole(
    blamed: Blamed,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<unknown> {
    return callWhole({ blamed, timeouts: this.timeouts() }, signal, ask);
  }

  async #load(): Promise<OpenAI> {
    const apiKey = keyOf(this.#options, this.#providerId);
    await loadGently('openai');
    const { default: Client } = await import('openai');
    return new Client({
      ...sdkOptions,
      apiKey,
      baseURL: this.#baseUrl,
      // What the environment says beside the key is for OpenAI's eyes, and partly secret.
      adminAPIKey: null,
      webhookSecret: null,
      ...(this.#providerId === 'cloud-b' ? {} : { organization: null, project: null }),
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
