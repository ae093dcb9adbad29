import type { Clock } from '../../clock.ts';
import type { ModelRef, ProviderFailureKind } from '../../events/providers.ts';
import { billing, exhaustionOf } from '../../projections/providers/billing.ts';
import { condition } from '../../projections/providers/condition.ts';
import type { ProviderId, SlotName } from '../../vocabulary.ts';
import type { ConfiguredProviders, CurrentContext } from './ports.ts';
import type { SlotBook } from './slotBook.ts';

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
export type UnavailableReason = (typeof reasons)[number];

/** The other kinds are about one request, and say nothing of the next. */
const reasonOfFailure: Readonly<Partial<Record<ProviderFailureKind, UnavailableReason>>> = {
  key: 'key refused',
  network: 'unreachable',
  timeout: 'unreachable',
  overload: 'overloaded',
  'rate-limit': 'rate limited',
  'model-unknown': 'model unknown',
};

const PASSES: ReadonlySet<UnavailableReason> = new Set(['overloaded', 'rate limited']);

export interface SlotStatus {
  /** `fallback`: the first model is down, and another answers in its place. */
  readonly state: 'up' | 'fallback' | 'down';
  /** Why the first model is down. */
  readonly reason?: UnavailableReason;
  /** Who answers in its place. */
  readonly active?: ModelRef;
}

/** How it stands with a slot, in the order in which its models would be asked. */
export interface Outlook {
  /** Those that would be passed by, and why. */
  readonly down: readonly { readonly model: ModelRef; readonly reason: UnavailableReason }[];
  /** Who would answer; undefined when nobody is known who could. */
  readonly answering: ModelRef | undefined;
}

interface AvailabilityOptions {
  readonly slots: Pick<SlotBook, 'candidates'>;
  readonly clients: ConfiguredProviders;
  readonly context: CurrentContext;
  readonly clock: Clock;
}

/** What is known, without asking anybody, of who would answer now. */
export class Availability {
  readonly #options: AvailabilityOptions;

  constructor(options: AvailabilityOptions) {
    this.#options = options;
  }

  /** Why a model would not answer; undefined when nothing is known against it. */
  async whyDown({ provider, model }: ModelRef): Promise<UnavailableReason | undefined> {
    const { clients, context, clock } = this.#options;
    const client = await clients.clientFor(provider);
    if (!client) return 'not configured';
    const views = context.current?.views;
    if (!views) return undefined;
    if (exhaustionOf(views.view(billing), provider, client.credential, model)) return 'billing exhausted';
    const failure = views.view(condition).byProvider[provider]?.failure;
    if (!failure || clock() - failure.at >= FAILURE_COUNTS_MS) return undefined;
    if (failure.kind === 'model-unknown' && failure.model !== model) return undefined;
    return reasonOfFailure[failure.kind];
  }

  async outlookOf(name: SlotName): Promise<Outlook> {
    const { chain, backups } = this.#options.slots.candidates(name);
    const ofChain = await this.#outlookAmong(chain);
    const isUsedUp = ofChain.down.some(({ reason }) => reason === 'billing exhausted');
    if (ofChain.answering || !isUsedUp) return ofChain;
    const { down, answering } = await this.#outlookAmong(await backups());
    return { down: [...ofChain.down, ...down], answering };
  }

  /** Whether anybody would answer, now or once what ends by itself is over. */
  async canAnswer(name: SlotName): Promise<boolean> {
    const { down, answering } = await this.outlookOf(name);
    return answering !== undefined || down.some(({ reason }) => PASSES.has(reason));
  }

  async statusOf(name: SlotName): Promise<SlotStatus> {
    const { down, answering } = await this.outlookOf(name);
    const [first] = down;
    if (!first) return answering ? { state: 'up' } : { state: 'down', reason: 'not configured' };
    const { reason } = first;
    return answering ? { state: 'fallback', reason, active: answering } : { state: 'down', reason };
  }

  /** Of each slot who would answer, or else the first, who is tried. */
  async providersOf(names: readonly SlotName[]): Promise<readonly ProviderId[]> {
    const asked = new Set<ProviderId>();
    for (const name of names) {
      const { down, answering } = await this.outlookOf(name);
      const model = answering ?? down[0]?.model;
      if (model) asked.add(model.provider);
    }
    return [...asked];
  }

  async #outlookAmong(models: readonly ModelRef[]): Promise<Outlook> {
    const down: { model: ModelRef; reason: UnavailableReason }[] = [];
    for (const model of models) {
      const reason = await this.whyDown(model);
      if (reason === undefined) return { down, answering: model };
      down.push({ model, reason });
    }
    return { down, answering: undefined };
  }
}
