import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, it } from '@fast-check/vitest';
import { afterAll, beforeAll, describe } from 'vitest';
import { isHarkError } from '../../src/errors.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import type { Append, Expected } from '../../src/store/port.ts';
import { RedisAdapter } from '../../src/store/redis/adapter.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import type { StoredEvent } from '../../src/store/storedEvent.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { skippedFor } from '../support/skippedFor.ts';
import type { Place } from './contract.ts';
import { appendOf, counted, forget, noted, sampleCatalog } from './sampleEvents.ts';

/* Whatever is done to a store, in whatever order, it is what the plainest thing that could work would be. */

type Step =
  | {
      readonly kind: 'append';
      readonly stream: string;
      readonly userId: string | null;
      readonly expected: Expected;
      readonly commandId: string | undefined;
      readonly notes: readonly (string | null)[];
    }
  | { readonly kind: 'forget'; readonly userId: string; readonly notes: readonly string[] }
  | { readonly kind: 'read'; readonly after: number; readonly userId: string | undefined }
  | { readonly kind: 'snapshot'; readonly owner: string | null }
  | { readonly kind: 'reopen' };

const user = fc.constantFrom('ann', 'ben');
const noteName = fc.constantFrom('n1', 'n2', 'n3');
const expected = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Expected>('any') },
  { weight: 1, arbitrary: fc.constantFrom<Expected>('new', 'exists') },
  { weight: 1, arbitrary: fc.nat(6) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      stream: fc.constantFrom('a', 'b', 'c'),
      userId: fc.option(user, { freq: 4 }),
      expected,
      commandId: fc.option(fc.constantFrom('c1', 'c2', 'c3'), { nil: undefined, freq: 2 }),
      notes: fc.array(fc.option(noteName), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('forget' as const),
      userId: user,
      notes: fc.array(
        fc.oneof({ weight: 4, arbitrary: noteName }, { weight: 1, arbitrary: fc.constant('*') }),
        {
          maxLength: 2,
        },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      after: fc.nat(40),
      userId: fc.option(user, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('snapshot' as const), owner: fc.option(user) }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
);

interface ModelEvent {
  readonly stream: string;
  readonly version: number;
  readonly userId: string | null;
  readonly note: string | null;
  text: string | null;
}

/** The log as an array. */
class Model {
  readonly events: ModelEvent[] = [];
  readonly #commands = new Map<string, { position: number; version: number }>();
  readonly #snapshots = new Map<string | null, number>();

  append(
    { stream, expected, commandId }: Append,
    added: readonly Pick<ModelEvent, 'userId' | 'note' | 'text'>[],
  ) {
    const before = commandId === undefined ? undefined : this.#commands.get(commandId);
    if (before) return { ...before, repeated: true };
    let version = this.events.filter((event) => event.stream === stream).length;
    const fits = { any: true, new: version === 0, exists: version > 0 };
    if (typeof expected === 'number' ? expected !== version : !fits[expected]) return 'CONFLICT';
    for (const event of added) this.events.push({ ...event, stream, version: ++version });
    const gave = { position: this.events.length, version };
    if (commandId !== undefined) this.#commands.set(commandId, gave);
    return { ...gave, repeated: false };
  }

  forget(userId: string, notes: readonly string[]): void {
    for (const event of this.events)
      if (
        event.userId === userId &&
        event.note !== null &&
        (notes.includes('*') || notes.includes(event.note))
      )
        event.text = null;
    if (notes.length === 0) return;
    this.#snapshots.delete(userId);
    this.#snapshots.delete(null);
  }

  takeSnapshot(owner: string | null): void {
    this.#snapshots.set(owner, this.events.length);
  }
  snapshotAt(owner: string | null): number | undefined {
    return this.#snapshots.get(owner);
  }
}

async function check(place: Place, steps: readonly Step[]): Promise<void> {
  const model = new Model();
  let adapter = await place.open();
  let log = await Log.open(adapter, sampleCatalog);
  const delivered: StoredEvent[] = [];
  log.onAppended((events) => delivered.push(...events));
  let serial = 0;
  try {
    for (const step of steps) {
      switch (step.kind) {
        case 'append': {
          const { stream, userId, commandId, expected } = step;
          const added = step.notes.map((name) => {
            // Text belongs to somebody; an event of the system carries none.
            const note = userId === null ? null : name;
            return { userId, note, text: note && `text ${++serial}` };
          });
          const events = added.map(({ note, text }) =>
            note === null
              ? { type: counted.type, data: { n: 1 } }
              : { type: noted.type, data: { note, text, words: 2 } },
          );
          const given = { userId, expected, events, ...(commandId === undefined ? {} : { commandId }) };
          await compare(log, model, appendOf(stream, given), added);
          break;
        }
        case 'forget': {
          const { userId, notes } = step;
          await compare(log, model, forget(userId, ...notes), [{ userId, note: null, text: null }]);
          model.forget(userId, notes);
          break;
        }
        case 'read':
          await compareReading(log, model, step.after, step.userId);
          break;
        case 'snapshot':
          await log.saveSnapshot(
            { owner: step.owner, name: 's' },
            { version: 1, position: model.events.length, state: [] },
          );
          model.takeSnapshot(step.owner);
          break;
        case 'reopen':
          // What cannot be opened again is looked at anew.
          if (adapter instanceof MemoryAdapter) break;
          await log.close();
          adapter = await place.open();
          log = await Log.open(adapter, sampleCatalog);
          log.onAppended((events) => delivered.push(...events));
      }
    }
    assert.equal(await log.head(), model.events.length);
    for (const userId of [undefined, 'ann', 'ben']) await compareReading(log, model, 0, userId);
    for (const stream of ['a', 'b', 'c']) {
      const found: StoredEvent[] = [];
      for await (const events of log.readStream(stream)) found.push(...events);
      assert.deepEqual(
        found.map(({ version }) => version),
        model.events.filter((event) => event.stream === stream).map(({ version }) => version),
      );
    }
    for (const owner of ['ann', 'ben', null])
      assert.equal((await log.loadSnapshot({ owner, name: 's' }, 1))?.position, model.snapshotAt(owner));
    assert.deepEqual(
      delivered.map(({ position }) => position),
      model.events.map((_, index) => index + 1),
    );
  } finally {
    await log.close();
    await place.dispose();
  }
}

async function compare(
  log: Log,
  model: Model,
  append: Append,
  added: readonly Pick<ModelEvent, 'userId' | 'note' | 'text'>[],
): Promise<void> {
  const got = await log.append(append).catch((error: unknown) => {
    if (isHarkError(error)) return error.code;
    throw error;
  });
  assert.deepEqual(got, model.append(append, added));
}

async function compareReading(log: Log, model: Model, after: number, userId?: string): Promise<void> {
  const found: StoredEvent[] = [];
  const range = userId === undefined ? { after } : { after, userId };
  for await (const { events } of log.readAll(range)) found.push(...events);
  const wanted = model.events
    .map((event, index) => ({ ...event, position: index + 1 }))
    .filter(
      (event) =>
        event.position > after && (userId === undefined || event.userId === null || event.userId === userId),
    );
  assert.deepEqual(
    found.map(({ position, stream, version, userId, type, data }) => {
      const { note, text } = type === noted.type ? noted.data.parse(data) : { note: null, text: null };
      return { stream, version, userId, note, text, position };
    }),
    wanted.map(({ stream, version, userId, note, text, position }) => ({
      stream,
      version,
      userId,
      note,
      text,
      position,
    })),
  );
}

const steps = fc.array(step, { maxLength: 40, size: 'max' });

describe('any history of a store is that of an array', () => {
  it.prop([steps], { numRuns: 200 })('in memory', (given) =>
    check({ open: async () => new MemoryAdapter(), dispose: async () => {} }, given),
  );

  it.prop([steps], { numRuns: 15 })('on sqlite', (given) => {
    const directory = mkdtempSync(join(tmpdir(), 'hark-property-'));
    const place = {
      open: () => SqliteAdapter.open(directory),
      dispose: async () => rmSync(directory, { recursive: true, force: true }),
    };
    return check(place, given);
  });

  describe('on redis', { ...skippedFor(redisIsMissing) }, () => {
    let server: RedisServer;
    let plain: ReturnType<RedisServer['client']>;

    beforeAll(async () => {
      server = await RedisServer.start();
      plain = server.client();
    });
    afterAll(async () => {
      plain.disconnect();
      await server.stop();
    });

    it.prop([steps], { numRuns: 40 })('also when it is opened again', async (given) => {
      await plain.flushall();
      await check({ open: () => RedisAdapter.open(server.url), dispose: async () => {} }, given);
    });
  });
});
