import { z } from 'zod';
import { providerIds } from '../../../vocabulary.ts';
import { type RequestFailure, RestClient } from '../restClient.ts';

/** A model may think for long before it greets. */
const TRIAL_TIMEOUT_MS = 90_000;
/** A token that ends within this time is not used any more. */
const SPARE_MS = 60_000;

const provider = z.enum(providerIds);
const steps = z.array(z.object({ id: z.string(), state: z.enum(['open', 'done', 'skipped']) }));
const status = z.looseObject({ needed: z.boolean(), claimRequired: z.boolean(), steps });
const token = z.looseObject({ token: z.string(), expiresAt: z.number() });
const keys = z.looseObject({
  keys: z.array(z.looseObject({ providerId: z.string(), source: z.enum(['stored', 'environment', 'none']) })),
});
const runner = z.looseObject({
  installed: z.boolean(),
  running: z.boolean(),
  models: z.array(z.looseObject({ name: z.string() })).optional(),
  hint: z.string(),
});
const price = z.looseObject({ inputPer1M: z.number(), outputPer1M: z.number() });
const trial = z.looseObject({
  ok: z.boolean(),
  label: z.string(),
  model: z.string().optional(),
  answer: z.string().optional(),
  ms: z.number().optional(),
  pricing: price.nullish(),
  costUsd: z.number().nullish(),
  error: z.string().optional(),
});
const modelRef = z.looseObject({ provider, model: z.string() });
const slots = z.looseObject({
  slots: z.looseObject({ chat: modelRef.extend({ fallbacks: z.array(modelRef) }).nullish() }),
});
const anything = z.looseObject({});

export type SetupProgress = z.output<typeof status>;
export type Trial = z.output<typeof trial>;
export type Provider = z.output<typeof provider>;

interface Wish {
  readonly provider: Provider;
  readonly apiKey?: string | undefined;
  readonly model?: string | undefined;
}

/** A running service, as whoever sets it up asks it. */
export class SetupService {
  readonly client: RestClient;
  readonly #hasKey: boolean;
  #claim: z.output<typeof token> | undefined;

  constructor(service: { readonly url: string; readonly apiKey?: string | undefined }) {
    this.client = new RestClient(service);
    this.#hasKey = service.apiKey !== undefined;
  }

  status(): Promise<SetupProgress> {
    return this.client.get('api/setup/status', status);
  }

  async set(step: string, state: 'open' | 'done' | 'skipped'): Promise<SetupProgress> {
    const headers = await this.#claimed();
    return this.client.ask(`api/setup/steps/${step}`, status, { method: 'PUT', body: { state }, headers });
  }

  /** Where the key of each provider comes from that has one, as far as this may be asked. */
  async keySources(): Promise<ReadonlyMap<Provider, 'stored' | 'environment'>> {
    const known = new Map<Provider, 'stored' | 'environment'>();
    for (const { providerId, source } of (await this.client.get('api/credentials', keys)).keys) {
      const id = providerIds.find((one) => `provider-${one}` === providerId);
      if (id && source !== 'none') known.set(id, source);
    }
    return known;
  }

  runner(): Promise<z.output<typeof runner>> {
    return this.client.get('api/runner/status', runner);
  }

  async try(wish: Wish): Promise<Trial> {
    const headers = await this.#claimed();
    const sent = { method: 'POST', body: wish, headers, timeoutMs: TRIAL_TIMEOUT_MS } as const;
    return this.client.ask('api/setup/try', trial, sent);
  }

  /** The key first, and then the model that was proven with it, unless it answers in `chat` already. */
  async save({ provider: id, apiKey, model }: Wish): Promise<void> {
    if (apiKey !== undefined) {
      const headers = await this.#claimed();
      const body = { providerId: `provider-${id}`, apiKey };
      await this.client.ask('api/credentials', anything, { method: 'POST', body, headers });
    }
    if (model === undefined) return;
    // Waits until a first key has filled all slots.
    const { chat } = (await this.client.get('api/slots', slots)).slots;
    if (chat?.provider === id && chat.model === model) return;
    // What answered before still answers where this cannot.
    const before = chat ? [{ provider: chat.provider, model: chat.model }, ...chat.fallbacks] : [];
    const others = before
      .filter((one) => one.provider !== id || one.model !== model)
      .slice(0, MOST_FALLBACKS);
    const fallbacks = others.map((one) => ({ provider: one.provider, model: one.model }));
    const body = { slots: { chat: { provider: id, model, fallbacks } } };
    await this.client.ask('api/slots', anything, { method: 'PUT', body });
  }

  /** With no key of the service configured, whoever is on its machine shows a token that is made for them. */
  async #claimed(): Promise<Readonly<Record<string, string>>> {
    if (this.#hasKey) return {};
    if (!this.#claim || this.#claim.expiresAt - Date.now() < SPARE_MS)
      this.#claim = await this.client.ask('api/setup-token', token, { method: 'POST', body: {} });
    return { 'x-setup-token': this.#claim.token };
  }
}

const MOST_FALLBACKS = 5;

/** What the service does not do without its store. */
export function isWithoutStore(error: unknown): error is RequestFailure {
  return error instanceof Error && 'status' in error && error.status === 503;
}
