import { hash } from 'node:crypto';
import type { Config } from '../../config.ts';
import { providerVariables } from '../../providerVariables.ts';
import { type ProviderId, providerIds } from '../../vocabulary.ts';
import type { GatewayOptions, ModelGateway } from './gateway.ts';

/** The name under which a provider's key is stored and its health is checked. */
export type CredentialScope = `provider-${ProviderId}`;

export function scopeOf(providerId: ProviderId): CredentialScope {
  return `provider-${providerId}`;
}

export type CreateGateway = (providerId: ProviderId, options: GatewayOptions) => ModelGateway;

/** A provider that can be asked, and with which key. */
export interface ProviderClient {
  readonly gateway: ModelGateway;
  /** Tells one key from another, and nothing about either; the same in every process that has the key. */
  readonly credential: string;
}

interface ProviderClientsOptions {
  readonly config: Config;
  /** The stored keys as they count now, by credential scope. */
  readonly storedKeys: () => Promise<ReadonlyMap<string, string>>;
  /** Asked when the first client is needed, so that no start waits for what few starts use. */
  readonly gateways: () => Promise<CreateGateway>;
}

interface HeldClient extends ProviderClient {
  readonly apiKey: string | undefined;
}

/**
 * One client a provider, made from the stored key or, without one, from the environment's. Ask anew for each
 * piece of work: when the key changed there is another client by then, and what runs on the old one goes on.
 */
export class ProviderClients {
  readonly #options: ProviderClientsOptions;
  readonly #held = new Map<ProviderId, HeldClient>();
  #creating: Promise<CreateGateway> | undefined;

  constructor(options: ProviderClientsOptions) {
    this.#options = options;
  }

  /** Undefined when there is no key for it. The local runner needs none. */
  async clientFor(providerId: ProviderId): Promise<ProviderClient | undefined> {
    const create = await this.#gateways();
    const stored = (await this.#options.storedKeys()).get(scopeOf(providerId));
    const options = { ...environmentOf(this.#options.config, providerId), ...keyOf(stored) };
    const held = this.#held.get(providerId);
    if (held && held.apiKey === options.apiKey) return held;
    if (options.apiKey !== undefined || providerId === 'local-runner')
      return this.#make(create, providerId, options);
    this.#held.delete(providerId);
    return undefined;
  }

  /** Those that can be asked, in the order in which they are named. */
  async configured(): Promise<readonly ProviderId[]> {
    const clients = await Promise.all(providerIds.map((providerId) => this.clientFor(providerId)));
    return providerIds.filter((_, index) => clients[index] !== undefined);
  }

  /** A client with a key that is only to be tried. */
  async trial(providerId: ProviderId, apiKey: string | undefined): Promise<ModelGateway> {
    const create = await this.#gateways();
    return create(providerId, { ...environmentOf(this.#options.config, providerId), ...keyOf(apiKey) });
  }

  #gateways(): Promise<CreateGateway> {
    this.#creating ??= this.#options.gateways();
    return this.#creating;
  }

  #make(create: CreateGateway, providerId: ProviderId, options: GatewayOptions): ProviderClient {
    const { apiKey } = options;
    const gateway = create(providerId, options);
    const client = { gateway, apiKey, credential: fingerprint(providerId, apiKey) };
    this.#held.set(providerId, client);
    return client;
  }
}

function environmentOf(config: Config, providerId: ProviderId): GatewayOptions {
  const { key, url } = providerVariables[providerId];
  const baseUrl = config[url];
  return { ...keyOf(key && config[key]), ...(baseUrl === undefined ? {} : { baseUrl }) };
}

function keyOf(apiKey: string | undefined): Pick<GatewayOptions, 'apiKey'> {
  return apiKey === undefined ? {} : { apiKey };
}

function fingerprint(providerId: ProviderId, apiKey = ''): string {
  return hash('sha256', `hark credential\n${providerId}\n${apiKey}`).slice(0, 16);
}
