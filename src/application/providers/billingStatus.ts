import type { Clock } from '../../clock.ts';
import { restoreBilling } from '../../commands/providers/billing.ts';
import type { CommandContext } from '../../commands/runner.ts';
import { HarkError } from '../../errors.ts';
import type { Account } from '../../gateways/models/gateway.ts';
import { billing } from '../../projections/providers/billing.ts';
import { type ProviderId, slotNames } from '../../vocabulary.ts';
import type { Availability } from './availability.ts';
import type { ConfiguredProviders, CurrentContext } from './ports.ts';

/** Where one adds credit. */
export const billingUrls: Readonly<Record<ProviderId, string>> = {
  'cloud-a': 'https://console.anthropic.com/settings/billing',
  'cloud-b': 'https://platform.openai.com/settings/organization/billing/overview',
  gateway: 'https://openrouter.ai/settings/credits',
  // The runner itself is free; what it passes on to Ollama's cloud is not.
  'local-runner': 'https://ollama.com/settings',
};

interface BillingStatusOptions {
  readonly clients: ConfiguredProviders;
  readonly context: CurrentContext;
  readonly accounts: Accounts;
  readonly availability: Availability;
}

interface ProviderBillingStatus {
  readonly exhausted: boolean;
  readonly models?: string[];
  readonly since?: number;
  readonly balance?: number;
  readonly currency?: string;
  readonly billingUrl: string;
  readonly fallbackActive: boolean;
  readonly fallbackTarget?: ProviderId;
}

/** How each provider stands with its credit, for people. */
export class BillingStatus {
  readonly #options: BillingStatusOptions;

  constructor(options: BillingStatusOptions) {
    this.#options = options;
  }

  configured(): Promise<readonly ProviderId[]> {
    return this.#options.clients.configured();
  }

  /** The user says that there is credit again. */
  async retry(providerId: ProviderId, context: CommandContext): Promise<void> {
    const { current } = this.#options.context;
    if (!current) throw new HarkError('KVSTORE_UNAVAILABLE');
    await current.runner.run(restoreBilling, { providerId, by: 'retry' }, context);
  }

  async of(providerId: ProviderId): Promise<ProviderBillingStatus> {
    const [account, target, used] = await Promise.all([
      this.#options.accounts.of(providerId).catch(() => undefined),
      this.#takesOverFrom(providerId),
      this.#exhaustions(providerId),
    ]);
    const models = used.flatMap(({ model }) => (model === null ? [] : [model]));
    const whole = used.find(({ model }) => model === null);
    return {
      exhausted: whole !== undefined,
      ...(models.length > 0 ? { models } : {}),
      ...(whole ? { since: whole.since } : {}),
      ...(account ? { balance: account.creditBalance, currency: account.creditCurrency } : {}),
      billingUrl: billingUrls[providerId],
      fallbackActive: target !== undefined,
      ...(target ? { fallbackTarget: target } : {}),
    };
  }

  /** Of the key in use: what was true of another key is no matter now. */
  async #exhaustions(providerId: ProviderId) {
    const { clients, context } = this.#options;
    const client = await clients.clientFor(providerId);
    const all = context.current?.views.view(billing).byProvider[providerId]?.exhaustions ?? [];
    return all.filter(({ credential }) => credential === client?.credential);
  }

  /** Who answers in place of this provider, because its credit is used up; for `chat` before other slots. */
  async #takesOverFrom(providerId: ProviderId): Promise<ProviderId | undefined> {
    for (const name of slotNames) {
      const { down, answering } = await this.#options.availability.outlookOf(name);
      const isPassedBy = down.some(
        ({ model, reason }) => model.provider === providerId && reason === 'billing exhausted',
      );
      if (answering && isPassedBy) return answering.provider;
    }
    return undefined;
  }
}

const LONGEST_ANSWER_MS = 5_000;
/** Who polls the status of billing does not poll the provider. */
const KEPT_MS = 60_000;

interface Kept {
  readonly credential: string;
  readonly at: number;
  readonly account: Promise<Account | undefined>;
}

/** What providers say of the credit that is left. Asked for at most once a minute, and again for another key. */
export class Accounts {
  readonly #clients: ConfiguredProviders;
  readonly #clock: Clock;
  readonly #kept = new Map<ProviderId, Kept>();

  constructor(clients: ConfiguredProviders, clock: Clock) {
    this.#clients = clients;
    this.#clock = clock;
  }

  async of(providerId: ProviderId): Promise<Account> {
    const client = await this.#clients.clientFor(providerId);
    if (!client) throw new HarkError('PROVIDER_NOT_CONFIGURED');
    const kept = this.#kept.get(providerId);
    const isNew = kept?.credential === client.credential && this.#clock() - kept.at < KEPT_MS;
    const asked = isNew ? kept.account : client.gateway.account(AbortSignal.timeout(LONGEST_ANSWER_MS));
    if (!isNew) {
      this.#kept.set(providerId, { credential: client.credential, at: this.#clock(), account: asked });
      asked.catch(() => this.#kept.delete(providerId));
    }
    const account = await asked.catch(() => {
      // The failure is the gateway's, and carries nothing that helps the one who asks for a balance.
      throw new HarkError('PROVIDER_UNAVAILABLE');
    });
    if (!account) throw new HarkError('ACCOUNT_UNKNOWN');
    return account;
  }
}
