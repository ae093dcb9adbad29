import type { Clock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import type { Account } from '../../gateways/models/gateway.ts';
import type { ProviderId } from '../../vocabulary.ts';
import type { ConfiguredProviders } from './ports.ts';

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
