import type { Clock } from '../../clock.ts';
import {
  autoConfigureSlots,
  changeSlots,
  configureFirstSlots,
  resetSlots,
} from '../../commands/providers/changeSlots.ts';
import { backupsFor, choose, providersAfter } from '../../commands/providers/choosing/backups.ts';
import {
  areGuessed,
  chooseSlots,
  firstWish,
  type Wish,
} from '../../commands/providers/choosing/chooseSlots.ts';
import type { Offer } from '../../commands/providers/choosing/offer.ts';
import { readSlots } from '../../commands/providers/readSlots.ts';
import {
  type KnownCatalog,
  type KnownCatalogs,
  reviewSlots,
  type SlotWarning,
} from '../../commands/providers/reviewSlots.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import { HarkError } from '../../errors.ts';
import type { ModelRef } from '../../events/providers.ts';
import {
  type LegacyVariables,
  resolveSlot,
  type SlotsView,
  slots,
} from '../../projections/providers/slots.ts';
import type { ProviderId, SlotName, Strategy } from '../../vocabulary.ts';
import type { Catalogs } from './catalogs.ts';
import type { ConfiguredProviders, CurrentContext } from './ports.ts';

const NONE: SlotsView = { slots: {}, strategy: 'cloud-backup' };
const NOTHING_WRITTEN = { slots: new Set<string>(), strategy: false };

interface SlotBookOptions {
  readonly clients: ConfiguredProviders;
  readonly context: CurrentContext;
  readonly catalogs: Catalogs;
  readonly legacy: LegacyVariables;
  readonly clock: Clock;
  readonly instanceId: string;
}

interface SlotChange {
  readonly slots: Readonly<Record<string, unknown>>;
  readonly strategy?: Strategy;
}

/** Whom to ask for a slot, in order. */
export interface SlotCandidates {
  /** Followed for whatever reason one of it cannot answer. */
  readonly chain: readonly ModelRef[];
  /** Asked after the chain when credit of it is used up, and only then. */
  backups(): Promise<readonly ModelRef[]>;
}

/** Which models every slot asks, and the ways to change that. */
export class SlotBook {
  readonly #options: SlotBookOptions;
  #settling: Promise<void> | undefined;
  /** What is written while the first slots are being found: it is not for them to set. */
  #written: { readonly slots: ReadonlySet<string>; readonly strategy: boolean } = NOTHING_WRITTEN;
  /** What counts while there is no log to keep slots in: chosen anew in each process. */
  #unlogged = NONE;

  constructor(options: SlotBookOptions) {
    this.#options = options;
  }

  view(): SlotsView {
    return this.#options.context.current?.views.view(slots) ?? this.#unlogged;
  }

  /** The one list by which everything goes that depends on who answers for a slot. Asks no provider. */
  candidates(name: SlotName): SlotCandidates {
    const { slots: table, strategy } = this.view();
    const resolved = resolveSlot(table, name, this.#options.legacy);
    if (!resolved) return { chain: [], backups: async () => [] };
    const { chain, from } = resolved;
    const slot = from === 'legacy' ? 'consolidation' : from;
    const backups = async () =>
      backupsFor(slot, chain, strategy, await this.#knownOffer(), this.#options.clock());
    return { chain, backups };
  }

  /** The model of the local runner that is best for a slot; undefined while it is not known to have one. */
  localChoice(name: SlotName): ModelRef | undefined {
    const { catalogs, clock } = this.#options;
    const catalog = catalogs.lastGood('local-runner');
    const offer = { configured: [], catalogs: catalog ? { 'local-runner': catalog } : {} };
    const model = choose(name, 'local-runner', offer, clock());
    return model === undefined ? undefined : { provider: 'local-runner', model };
  }

  /** Has the catalogs fetched that backups are chosen from, where none was ever had. */
  async learnBackups(name: SlotName): Promise<void> {
    const { clients, catalogs } = this.#options;
    const { chain } = this.candidates(name);
    const configured = await clients.configured();
    const providers = providersAfter(name, chain, this.view().strategy, { configured });
    const unknown = providers.filter((providerId) => !catalogs.lastGood(providerId));
    await Promise.all(unknown.map((providerId) => catalogs.of(providerId, { refresh: false })));
  }

  /**
   * Sees to it that one key is enough to chat: where no slot was ever set, sets all as soon as a provider is
   * there. Waits for as long as the catalogs take; never rejects.
   */
  settle(): Promise<void> {
    return this.view().slots.chat && !this.#settling ? Promise.resolve() : this.#settle();
  }

  /** The same, and chooses anew what had to be guessed while no catalog was there: a guess is better than none. */
  revise(): Promise<void> {
    return areGuessed(this.view().slots) ? this.#settle() : this.settle();
  }

  #settle(): Promise<void> {
    this.#settling ??= this.#setFirst()
      .catch(() => undefined)
      .finally(() => {
        this.#settling = undefined;
        this.#written = NOTHING_WRITTEN;
      });
    return this.#settling;
  }

  async change(change: SlotChange, context: CommandContext): Promise<readonly SlotWarning[]> {
    const runner = this.#runner();
    const settled = this.settle();
    // Else `chat` would be missed that is about to be set.
    if (!Object.hasOwn(change.slots, 'chat')) await settled;
    const { changes } = readSlots(change.slots);
    const named = [...changes.values()].flatMap((slot) => (slot ? [slot, ...slot.fallbacks] : []));
    const catalogs = await this.#catalogsOf(new Set(named.map(({ provider }) => provider)));
    const before = this.#written;
    if (this.#settling) {
      const isStrategy = before.strategy || change.strategy !== undefined;
      this.#written = { slots: before.slots.union(new Set(changes.keys())), strategy: isStrategy };
    }
    await runner.run(changeSlots, { ...change, catalogs }, context).catch((error) => {
      this.#written = before;
      throw error;
    });
    return reviewSlots(changes, catalogs, this.#options.clock()).warnings;
  }

  async autoConfigure(wish: Wish, context: CommandContext): Promise<readonly SlotWarning[]> {
    const runner = this.#runner();
    const offer = await this.#offer();
    await runner.run(autoConfigureSlots, { wish, offer }, context);
    return chooseSlots(wish, offer, this.#options.clock()).warnings;
  }

  async reset(context: CommandContext): Promise<void> {
    const runner = this.#runner();
    const offer = await this.#offer();
    const wish = firstWish(offer);
    await runner.run(resetSlots, { configure: wish && { wish, offer } }, context);
  }

  async #setFirst(): Promise<void> {
    const { context, clock, instanceId } = this.#options;
    const offer = await this.#offer();
    const wish = firstWish(offer);
    if (!wish) return;
    const runner = context.current?.runner;
    if (!runner) this.#unlogged = { slots: chooseSlots(wish, offer, clock()).slots, strategy: wish.strategy };
    else await runner.run(configureFirstSlots, { wish, offer, written: this.#written }, first(instanceId));
  }

  async #offer(): Promise<Offer> {
    const configured = await this.#options.clients.configured();
    return { configured, catalogs: await this.#catalogsOf(new Set(configured)) };
  }

  /** Without asking anybody. */
  async #knownOffer(): Promise<Offer> {
    const { clients, catalogs } = this.#options;
    const configured = await clients.configured();
    const known = configured.map((providerId) => [providerId, catalogs.lastGood(providerId)] as const);
    return { configured, catalogs: Object.fromEntries(known.filter(([, catalog]) => catalog)) };
  }

  async #catalogsOf(wanted: ReadonlySet<ProviderId>): Promise<KnownCatalogs> {
    const known: Partial<Record<ProviderId, KnownCatalog>> = {};
    await Promise.all(
      [...wanted].map(async (providerId) => {
        const catalog = await this.#options.catalogs.of(providerId, { refresh: false });
        if (catalog) known[providerId] = catalog;
      }),
    );
    return known;
  }

  #runner(): CommandRunner {
    const { current } = this.#options.context;
    if (!current) throw new HarkError('KVSTORE_UNAVAILABLE');
    return current.runner;
  }
}

function first(instanceId: string): CommandContext {
  return { userId: '', correlationId: `slots-${instanceId}` };
}
