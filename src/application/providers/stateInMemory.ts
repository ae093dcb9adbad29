import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { slotsStream } from '../../commands/providers/changeSlots.ts';
import { providerStream } from '../../commands/providers/state.ts';
import { type CommandRunner, StoreCommandRunner } from '../../commands/runner.ts';
import type { NewEvent } from '../../events/definition.ts';
import { billingExhausted, catalogRefreshed, providerFailed, slotsChanged } from '../../events/providers.ts';
import { configChanged } from '../../events/settings.ts';
import { billing } from '../../projections/providers/billing.ts';
import { catalogs } from '../../projections/providers/catalogs.ts';
import { condition } from '../../projections/providers/condition.ts';
import { slots } from '../../projections/providers/slots.ts';
import { ProjectionRuntime, type Views } from '../../projections/runtime.ts';
import { runtimeValues } from '../../projections/settings/runtimeValues.ts';
import type { EventLog, Snapshots } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { providerIds } from '../../vocabulary.ts';

/** Beyond this, the log is begun anew with what still counts. */
const MOST_EVENTS = 1_000;

interface Options {
  readonly clock: Clock;
  /** One with nothing in it, that ends with the process. */
  readonly openLog: () => Promise<EventLog & Snapshots>;
  /** Told of what is new. */
  readonly publish: (events: readonly StoredEvent[]) => void;
  readonly mostEvents?: number;
}

interface InMemory {
  readonly store: EventLog;
  readonly runner: CommandRunner;
  readonly views: ProjectionRuntime;
}

/** Slots, settings and what is known of providers where there is to be no store: as in a log, until the process ends. */
export class StateInMemory {
  readonly #options: Options;
  readonly current: { readonly runner: CommandRunner; readonly views: Views };
  #held: InMemory;
  #running = 0;
  #tidying: Promise<void> | undefined;

  private constructor(options: Options, held: InMemory) {
    this.#options = options;
    this.#held = held;
    this.current = {
      runner: {
        read: (...asked) => this.#held.runner.read(...asked),
        run: (...asked) => this.#inTurn(() => this.#held.runner.run(...asked)),
      },
      views: {
        view: (projection) => this.#held.views.view(projection),
        parts: (projection) => this.#held.views.parts(projection),
      },
    };
  }

  static async start(options: Options): Promise<StateInMemory> {
    return new StateInMemory(options, await begin(options, []));
  }

  connected(): StateInMemory['current'] {
    return this.current;
  }

  /** How many events are held. */
  get size(): number {
    return this.#held.store.delivered;
  }

  /** Nothing is begun anew while something runs, and nothing runs meanwhile: so nothing is lost. */
  async #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    while (this.#tidying) await this.#tidying;
    this.#running++;
    try {
      return await run();
    } finally {
      this.#running--;
      const isDue = this.size > (this.#options.mostEvents ?? MOST_EVENTS);
      if (this.#running === 0 && isDue && !this.#tidying) this.#tidying = this.#tidy();
    }
  }

  async #tidy(): Promise<void> {
    try {
      this.#held = await begin(this.#options, whatCounts(this.#held.views, this.#options.clock()));
    } finally {
      this.#tidying = undefined;
    }
  }
}

interface Kept {
  readonly stream: string;
  readonly at: number;
  readonly event: NewEvent;
}

async function begin({ clock, openLog, publish }: Options, kept: Iterable<Kept>): Promise<InMemory> {
  const store = await openLog();
  const runner = new StoreCommandRunner({ store, clock, newId: randomUUID });
  const views = new ProjectionRuntime(store, [slots, billing, condition, catalogs, runtimeValues]);
  await views.start();
  const nobody = { userId: null, correlationId: 'kept', causationId: null };
  for (const { stream, at, event } of kept)
    await store.append({ stream, events: [event], expected: 'any', at, ...nobody });
  // What was kept is no news.
  store.onAppended(publish);
  return { store, runner, views };
}

/** The events after which all is as it is now. */
function* whatCounts(views: Views, now: number): Generator<Kept> {
  const changes = views.view(runtimeValues).values;
  yield { stream: 'settings', at: now, event: { type: configChanged.type, data: { changes } } };
  const set = { ...views.view(slots), cause: 'written' };
  yield { stream: slotsStream(), at: now, event: { type: slotsChanged.type, data: set } };
  for (const providerId of providerIds) {
    const stream = providerStream({ providerId });
    const catalog = views.view(catalogs).byProvider[providerId];
    if (catalog) {
      const data = { providerId, count: catalog.models.length, ...catalog };
      yield { stream, at: catalog.fetchedAt, event: { type: catalogRefreshed.type, data } };
    }
    const failure = views.view(condition).byProvider[providerId]?.failure;
    if (failure) {
      const { at, ...why } = failure;
      const data = { providerId, ...why, status: null, failedAt: at };
      yield { stream, at, event: { type: providerFailed.type, data } };
    }
    for (const { credential, model, since, probedAt } of views.view(billing).byProvider[providerId]
      ?.exhaustions ?? []) {
      const data = { providerId, credential, model, exhaustedAt: probedAt };
      yield { stream, at: since, event: { type: billingExhausted.type, data: { ...data, probed: false } } };
      const again = { type: billingExhausted.type, data: { ...data, probed: true } };
      if (probedAt > since) yield { stream, at: probedAt, event: again };
    }
  }
}
