import { Setup } from '../application/system/setup.ts';
import type { Clock } from '../clock.ts';
import { choose } from '../commands/providers/choosing/backups.ts';
import type { Config } from '../config.ts';
import { HarkError } from '../errors.ts';
import type { ProviderClients } from '../gateways/models/clients.ts';
import type { ModelTrial, Pick as PickModel } from '../gateways/models/modelTrial.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { setupOperations, type TrialWish } from '../interfaces/operations/setup.ts';
import { labelOf } from '../interfaces/providerNaming.ts';
import { localUrl } from '../interfaces/rest/certificate.ts';
import type { SetupTokens } from '../interfaces/setupTokens.ts';
import { settled } from '../interfaces/slotView.ts';
import type { Providers } from './providers.ts';

interface SetupOptions {
  readonly config: Config;
  readonly kvstore: Kvstore;
  readonly clients: ProviderClients;
  readonly clock: Clock;
  readonly setupTokens: SetupTokens;
  readonly providers: Pick<Providers, 'slots' | 'availability'>;
}

/** The wiring of how a service is set up. */
export class SettingUp {
  readonly #options: SetupOptions;
  readonly #setup: Setup;

  constructor(options: SetupOptions) {
    this.#options = options;
    const { config, kvstore, providers } = options;
    this.#setup = new Setup({
      hasKey: config.SERVICE_API_KEY !== undefined,
      async canChat() {
        await settled(providers.slots);
        return providers.availability.canAnswer('chat');
      },
      kvstore,
    });
  }

  operations(): readonly AnyOperation[] {
    const { config, setupTokens } = this.#options;
    return setupOperations({
      config,
      setupTokens,
      setup: this.#setup,
      tryModel: (wish, signal) => this.#try(wish, signal),
      labelOf,
    });
  }

  /**
   * Where a browser goes on with the setup; undefined where none is needed. What claims it is in the fragment, which
   * browsers send to nobody.
   */
  async address(port: number): Promise<string | undefined> {
    const { config, setupTokens } = this.#options;
    const { needed, claimRequired } = await this.#setup.status(config.SERVICE_USER_ID);
    if (!needed) return undefined;
    const claim = claimRequired ? `=${setupTokens.issue().token}` : '';
    return `${localUrl(config, port)}/#setup${claim}`;
  }

  async #try({ provider, apiKey, model }: TrialWish, signal: AbortSignal): Promise<ModelTrial> {
    const { clients, clock } = this.#options;
    const gateway =
      apiKey === undefined
        ? (await clients.clientFor(provider))?.gateway
        : await clients.trial(provider, apiKey);
    if (!gateway)
      throw new HarkError('PROVIDER_NOT_CONFIGURED', { message: `${labelOf(provider)} has no key yet` });
    const { tryModel } = await import('../gateways/models/modelTrial.ts');
    const pick: PickModel = (models) => {
      const catalogs = { [provider]: { models, isCurrent: true } };
      return model ?? choose('chat', provider, { configured: [], catalogs }, clock());
    };
    return tryModel(gateway, pick, signal);
  }
}
