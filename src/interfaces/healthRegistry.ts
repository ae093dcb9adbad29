import { setTimeout as wait } from 'node:timers/promises';
import { HarkError, isHarkError } from '../errors.ts';
import type { Kvstore } from './kvstore.ts';

const LONGEST_CHECK_MS = 2_000;

interface HealthEntry extends HealthFacts {
  /** `off` is what nobody set up, or nobody uses: nothing is wrong with it, and nothing is known to be right. */
  readonly status: 'healthy' | 'off' | 'unhealthy';
  /** In ms. */
  readonly responseTime: number;
  readonly error?: string;
  /** Of a service that is healthy or off: a note. */
  readonly note?: string;
}

/** Figures that belong to how one service is, well or not. */
export interface HealthFacts {
  /** Unix ms; null before the first sweep. */
  readonly lastMaintenanceAt?: number | null;
  readonly totalSweeps?: number;
}

interface HealthReport {
  readonly status: 'healthy' | 'degraded' | 'unhealthy';
  readonly services: Readonly<Record<string, HealthEntry>>;
}

interface Finding {
  readonly status: 'healthy' | 'off';
  readonly note?: string;
}

/** Of what is well with nothing to add nothing is said, and of what is well otherwise the note alone. */
type Found = Finding | string | undefined;

/** Rejects with a HarkError that says what is not well. */
type HealthCheck = () => Found | Promise<Found>;

interface Checker {
  readonly check: HealthCheck;
  /** Without it the whole service is unhealthy; without any other it is degraded. */
  readonly isVital: boolean;
  readonly facts: () => HealthFacts;
}

/** Who can be asked how it is. Every area registers its own; askers at the same time share one check. */
export class HealthRegistry {
  readonly #checkers = new Map<string, Checker>();
  readonly #running = new Map<string, Promise<HealthEntry>>();

  register(
    name: string,
    check: HealthCheck,
    { isVital = false, facts = () => ({}) }: Partial<Omit<Checker, 'check'>> = {},
  ): void {
    this.#checkers.set(name, { check, isVital, facts });
  }

  /** Undefined for a name that nobody registered. */
  check(name: string): Promise<HealthEntry> | undefined {
    const checker = this.#checkers.get(name);
    if (!checker) return undefined;
    const running = this.#running.get(name);
    if (running) return running;
    const started = measure(checker).finally(() => this.#running.delete(name));
    this.#running.set(name, started);
    return started;
  }

  async report(): Promise<HealthReport> {
    const services: Record<string, HealthEntry> = {};
    let status: HealthReport['status'] = 'healthy';
    await Promise.all(
      Array.from(this.#checkers, async ([name, { isVital }]) => {
        const entry = await this.check(name);
        if (!entry) return;
        services[name] = entry;
        if (entry.status !== 'unhealthy') return;
        status = isVital || status === 'unhealthy' ? 'unhealthy' : 'degraded';
      }),
    );
    return { status, services };
  }
}

async function measure({ check, facts }: Checker): Promise<HealthEntry> {
  const startedAt = performance.now();
  const responseTime = () => Math.round((performance.now() - startedAt) * 1_000) / 1_000;
  const ended = new AbortController();
  try {
    const found = await Promise.race([check(), overdue(ended.signal)]);
    const { status, ...note } = findingOf(found);
    return { status, responseTime: responseTime(), ...note, ...facts() };
  } catch (error) {
    // Only what the registry of errors words may be shown.
    const message = isHarkError(error) ? error.message : 'The check failed';
    return { status: 'unhealthy', responseTime: responseTime(), error: message, ...facts() };
  } finally {
    ended.abort();
  }
}

function findingOf(found: Found): Finding {
  if (typeof found === 'object') return found;
  return found === undefined ? { status: 'healthy' } : { status: 'healthy', note: found };
}

async function overdue(signal: AbortSignal): Promise<undefined> {
  const aborted = await wait(LONGEST_CHECK_MS, false, { signal, ref: false }).catch(() => true);
  if (!aborted) throw new HarkError('CHECK_FAILED', { message: `No answer within ${LONGEST_CHECK_MS} ms` });
}

/** Whether the store is there, takes what is appended, and is followed by what clients read. */
export function registerStoreChecks(health: HealthRegistry, kvstore: Kvstore): void {
  health.register('kvstore', async () => {
    const { connected, error } = await kvstore.status();
    if (!connected) throw new HarkError('KVSTORE_UNAVAILABLE', error === undefined ? {} : { message: error });
    return undefined;
  });
  health.register('event-log', async () => {
    const { store } = kvstore.connected();
    await store.head();
    const { refusals } = await store.status();
    if (refusals?.last) throw refusals.last;
    return undefined;
  });
  health.register('projections', async () => {
    const { store, views } = kvstore.connected();
    const head = await store.head();
    if (views.position < head)
      throw new HarkError('CHECK_FAILED', { message: `${head - views.position} events behind the log` });
    return undefined;
  });
}
