import { fc } from '@fast-check/vitest';
import { Pace } from '../../../src/application/maintenance/pace.ts';
import type { ContradictionFinder } from '../../../src/application/maintenance/ports.ts';
import { type UserMemory, userMemory } from '../../../src/commands/memory/state.ts';
import { NO_PIPELINE } from '../../../src/commands/memory/upkeep.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import type { CompletedSweep, Thresholds } from '../../../src/events/maintenance.ts';
import { type MemoryEvent, memoryStream, readMemoryEvent } from '../../../src/events/memory.ts';
import { foldedUntil } from '../../../src/folds/streamFold.ts';
import { type Remembered, remembered } from '../../../src/projections/memory/remembered.ts';
import { ProjectionRuntime, userViewAt } from '../../../src/projections/runtime.ts';
import { SweepRun } from '../../../src/sagas/maintenance/sweep.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { Store } from '../../../src/store/port.ts';
import { NOW } from '../../support/given.ts';

const HOUR_MS = 60 * 60_000;
export const DAY_MS = 24 * HOUR_MS;
export const USER = 'ann';

export const usual: Thresholds = {
  staleDays: 90,
  decayFactor: 0.9,
  similarity: 0.85,
  orphanImportance: 3,
  pruneBelow: 0.3,
  retentionDays: 30,
};

export const begun = {
  type: 'memory.maintenance.started',
  data: {
    sweepId: 's',
    timestamp: NOW,
    by: 'request',
    thresholds: usual,
    conclusionCount: 1,
    episodeCount: 1,
  },
};

/** Finds some pairs, the same ones whoever else is believed, and each from both sides. */
export const byNumber: ContradictionFinder = {
  async find({ conclusions }) {
    const evidence = { similarity: 0.5, signs: [], nli: null, judge: null };
    const numberOf = ({ id }: { readonly id: string }) => Number.parseInt(id.slice(1), 10);
    const confirmed = conclusions.flatMap((one) =>
      conclusions
        .filter((other) => other.id !== one.id && (numberOf(one) + numberOf(other)) % 5 === 0)
        .map((other) => ({ conclusionId: one.id, contradicts: other.id, evidence })),
    );
    return { confirmed, pipeline: { ...NO_PIPELINE, llmConfirmed: confirmed.length } };
  },
};

/** A user's memory in a log of its own, and sweeps of it as the service makes them. */
export class Swept {
  readonly store: Store;
  readonly runner: StoreCommandRunner;
  readonly views: ProjectionRuntime;
  now = NOW;
  #ids = 0;

  private constructor(store: Store) {
    this.store = store;
    this.views = new ProjectionRuntime(store, []);
    this.runner = new StoreCommandRunner({ store, clock: () => this.now, newId: () => `id-${++this.#ids}` });
  }

  static async of(events: readonly NewEvent[]): Promise<Swept> {
    const swept = new Swept(await Log.open(new MemoryAdapter(), eventCatalog));
    await swept.append(events);
    return swept;
  }

  async append(events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const who = { at: this.now, userId: USER, correlationId: 'test', causationId: null };
    await this.store.append({ stream: memoryStream(USER), expected: 'any', events, ...who });
  }

  sweep(thresholds: Thresholds = usual, pace = new Pace()): Promise<CompletedSweep> {
    const run = new SweepRun(
      { runner: this.runner, store: this.store, pace, contradictions: byNumber },
      { userId: USER, correlationId: 'test' },
      new AbortController().signal,
    );
    return run.run({ by: 'request', thresholds });
  }

  memory(): Promise<UserMemory> {
    return this.runner.read(userMemory, memoryStream(USER), USER);
  }

  /** As it is shown. */
  remembered(): Promise<Remembered> {
    return this.views.of(remembered, USER);
  }

  async events(): Promise<readonly MemoryEvent[]> {
    const all: MemoryEvent[] = [];
    for await (const batch of this.store.readStream(memoryStream(USER)))
      for (const stored of batch)
        all.push(...[readMemoryEvent(stored)].filter((event) => event !== undefined));
    return all;
  }

  /** From the log alone, for who decides and for who reads. */
  async replayed(): Promise<readonly [UserMemory, Remembered]> {
    return [
      await foldedUntil(this.store, userMemory, memoryStream(USER)),
      await userViewAt(this.store, remembered, USER, {}),
    ];
  }
}

/** As it was at one moment, whatever is changed in place later. */
export function still<State>(memory: State): State {
  return structuredClone(memory);
}

const episodeIds = ['e1', 'e2', 'e3', 'e4'];
const words = 'user likes long walks by the old river in spring with both dogs'.split(' ');

/** So few words that many say nearly the same, in chains too. */
const text = fc
  .tuple(
    fc.subarray(words, { minLength: 9 }),
    fc.subarray(['and', 'cats', 'not', '12', '13'], { maxLength: 2 }),
  )
  .map(([some, more]) => [...some, ...more].join(' '));

const conclusion = fc
  .record({
    text,
    type: fc.constantFrom('explicit', 'inferred', 'corrected'),
    confidence: fc.constantFrom(0, 0.1, 0.29, 0.3, 0.31, 0.33, 0.34, 0.5, 0.5, 0.9, 1),
    sources: fc.subarray([...episodeIds, 'gone'], { maxLength: 2 }),
    age: fc.constantFrom(0, 2, 89, 91, 400),
    stale: fc.boolean(),
    status: fc.constantFrom('active', 'active', 'active', 'active', 'pruned', 'merged'),
  })
  .map(({ age, stale, status, ...drawn }) => {
    // Not at the very edge: a sweep a millisecond later would see it otherwise.
    const at = NOW - age * DAY_MS - HOUR_MS;
    const times = { createdAt: at, updatedAt: at, lastEvidenceAt: at };
    const standing = { ...times, stale, status, supersededBy: null, contradicts: [] };
    return { ...drawn, turnIds: [], about: null, by: 'offline', standing };
  });

const episode = fc
  .record({ importance: fc.constantFrom(0, 1, 2.9, 3, 8), flagged: fc.boolean() })
  .map((given) => ({
    type: 'conversation',
    sessionId: null,
    conversationId: null,
    turnId: null,
    summary: 'A talk',
    topic: 'talk',
    keywords: [],
    reasons: [],
    happenedAt: NOW,
    expiresAt: NOW + DAY_MS,
    by: 'offline',
    ...given,
  }));

/** What made a memory: episodes, and what was concluded from them and from others that are gone. */
export const past: fc.Arbitrary<readonly NewEvent[]> = fc
  .tuple(fc.array(episode, { maxLength: 4 }), fc.array(conclusion, { maxLength: 14 }))
  .map(([episodes, conclusions]) => [
    ...episodes.map((data, index) => ({
      type: 'memory.episode.created',
      data: { episodeId: episodeIds[index], ...data },
    })),
    ...conclusions.map((data, index) => ({
      type: 'memory.conclusion.drawn',
      data: { conclusionId: `c${index}`, ...data },
    })),
  ]);

export const thresholds: fc.Arbitrary<Thresholds> = fc.record({
  staleDays: fc.constantFrom(1, 30, 90),
  decayFactor: fc.constantFrom(0, 0.5, 0.9, 1),
  similarity: fc.constantFrom(0.5, 0.7, 0.85, 1),
  orphanImportance: fc.constantFrom(0, 3, 10),
  pruneBelow: fc.constantFrom(0, 0.3, 1),
  retentionDays: fc.constant(30),
});
