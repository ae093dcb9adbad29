import type { Clock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import type { ProviderFailureKind } from '../../events/providers.ts';
import type { ProviderClient } from '../../gateways/models/clients.ts';
import { billing, exhaustionOf } from '../../projections/providers/billing.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { type ConfiguredProviders, type CurrentContext, faultOf } from './ports.ts';

/** Below the time that a health check may take. */
const LONGEST_ANSWER_MS = 1_800;
/** Who polls the health of this service hardly polls the providers; who has mended a key is not told what was before. */
const KEPT_MS = 2_000;

const words: Readonly<Record<ProviderFailureKind, string>> = {
  billing: 'Its credit is used up',
  'rate-limit': 'It limits requests for now',
  key: 'It refuses the key',
  overload: 'It is overloaded',
  network: 'It cannot be reached',
  timeout: 'It does not answer in time',
  'bad-request': 'It does not understand the request',
  'model-unknown': 'It does not understand the request',
  malformed: 'The server does not speak its protocol',
  unknown: 'It returns errors',
};

interface ProbesOptions {
  readonly clients: ConfiguredProviders;
  readonly context: CurrentContext;
  readonly clock: Clock;
  /** Whether somebody counts on the local runner: nobody has to have one. */
  readonly needsLocalRunner: () => Promise<boolean>;
}

interface Kept {
  readonly credential: string;
  readonly at: number;
  readonly probe: Promise<string | undefined>;
}

/** How the providers are, found out with a call that costs nothing. */
export class Probes {
  readonly #options: ProbesOptions;
  readonly #kept = new Map<ProviderId, Kept>();

  constructor(options: ProbesOptions) {
    this.#options = options;
  }

  /** Resolves for one that is well, or says why it is off; else throws what is wrong. */
  async check(
    providerId: ProviderId,
  ): Promise<{ readonly status: 'off'; readonly note: string } | undefined> {
    const { clients, context } = this.#options;
    const client = await clients.clientFor(providerId);
    if (!client) return { status: 'off', note: 'Not configured' };
    const views = context.current?.views;
    if (views && exhaustionOf(views.view(billing), providerId, client.credential))
      throw new HarkError('CHECK_FAILED', { message: words.billing });
    const problem = await this.#probe(providerId, client);
    if (problem === undefined) return undefined;
    if (providerId === 'local-runner' && !(await this.#options.needsLocalRunner()))
      return { status: 'off', note: 'Not running' };
    throw new HarkError('CHECK_FAILED', { message: problem });
  }

  /** What is wrong, if anything is. */
  #probe(providerId: ProviderId, { gateway, credential }: ProviderClient): Promise<string | undefined> {
    const { clock } = this.#options;
    const kept = this.#kept.get(providerId);
    if (kept?.credential === credential && clock() - kept.at < KEPT_MS) return kept.probe;
    const probe = gateway.validate(AbortSignal.timeout(LONGEST_ANSWER_MS)).then(
      () => undefined,
      (error: unknown) => words[faultOf(error)?.kind ?? 'timeout'],
    );
    this.#kept.set(providerId, { credential, at: clock(), probe });
    return probe;
  }
}
