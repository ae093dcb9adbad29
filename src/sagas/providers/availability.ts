import type { Clock } from '../../clock.ts';
import type { ModelRef, ProviderFailureKind } from '../../events/providers.ts';
import { billing, exhaustionOf } from '../../projections/providers/billing.ts';
import { condition } from '../../projections/providers/condition.ts';
import { mayTakeOver, resolveSlot, type SlotsView } from '../../projections/providers/slots.ts';
import type { Backing, ProviderClients } from './ports.ts';

/** What a failure says of the next attempt is worth nothing after this time. */
const FAILURE_COUNTS_MS = 300_000;

export const reasons = [
  'not configured',
  'billing exhausted',
  'key refused',
  'unreachable',
  'overloaded',
  'rate limited',
  'model unknown',
] as const;
export type Reason = (typeof reasons)[number];

/** The other kinds are about one request, and say nothing of the next. */
const reasonOfFailure: Readonly<Partial<Record<ProviderFailureKind, Reason>>> = {
  key: 'key refused',
  network: 'unreachable',
  timeout: 'unreachable',
  overload: 'overloaded',
  'rate-limit': 'rate limited',
  'model-unknown': 'model unknown',
};

export interface SlotStatus {
  /** `fallback`: the first model is down, and another of the chain answers in its place. */
  readonly state: 'up' | 'fallback' | 'down';
  /** Why the first model is down. */
  readonly reason?: Reason;
  /** Who answers in its place. */
  readonly active?: ModelRef;
}

interface AvailabilityOptions {
  readonly clients: ProviderClients;
  readonly backing: Backing;
  readonly clock: Clock;
}

/** What is known, without asking anybody, of who would answer now. */
export class Availability {
  readonly #options: AvailabilityOptions;

  constructor(options: AvailabilityOptions) {
    this.#options = options;
  }

  /** Why a model would not answer; undefined when nothing is known against it. */
  async whyDown({ provider, model }: ModelRef): Promise<Reason | undefined> {
    const { clients, backing, clock } = this.#options;
    const client = await clients.clientFor(provider);
    if (!client) return 'not configured';
    const views = backing.current?.views;
    if (!views) return undefined;
    if (exhaustionOf(views.view(billing), provider, client.credential, model)) return 'billing exhausted';
    const failure = views.view(condition).byProvider[provider]?.failure;
    if (!failure || clock() - failure.at >= FAILURE_COUNTS_MS) return undefined;
    if (failure.kind === 'model-unknown' && failure.model !== model) return undefined;
    return reasonOfFailure[failure.kind];
  }

  async statusOf(view: SlotsView, name: Parameters<typeof resolveSlot>[1]): Promise<SlotStatus> {
    const [first, ...others] = resolveSlot(view.slots, name)?.chain ?? [];
    const reason = first ? await this.whyDown(first) : 'not configured';
    if (reason === undefined) return { state: 'up' };
    for (const candidate of others) {
      if (reason === 'billing exhausted' && !mayTakeOver(view.strategy, candidate)) continue;
      if ((await this.whyDown(candidate)) === undefined)
        return { state: 'fallback', reason, active: candidate };
    }
    return { state: 'down', reason };
  }
}
