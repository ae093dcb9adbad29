import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { StoreCommandRunner } from '../../../../src/commands/runner.ts';
import { eventCatalog } from '../../../../src/events/catalog.ts';
import { conclusionEmbedded } from '../../../../src/events/conclusions.ts';
import { memoryStream } from '../../../../src/events/memory.ts';
import { packed } from '../../../../src/projections/memory/index/vectors/packed.ts';
import { ConclusionVectors } from '../../../../src/sagas/maintenance/contradictions/conclusionVectors.ts';
import { Log } from '../../../../src/store/log.ts';
import type { EventReader } from '../../../../src/store/port.ts';
import { SqliteAdapter } from '../../../../src/store/sqlite/adapter.ts';
import { aConclusion } from '../../../commands/memory/sample.ts';
import { bytesOf, temporaryFolder } from '../../../support/dataDirectory.ts';
import { NOW } from '../../../support/given.ts';

const ANN = 'ann';
const SMALL = { provider: 'local-runner', model: 'small' } as const;
const LARGE = { provider: 'cloud-b', model: 'large' } as const;

const home = temporaryFolder('conclusion-vectors');
let started = 0;

async function start() {
  const directory = join(home, String(started++));
  const store = await Log.open(await SqliteAdapter.open(directory), eventCatalog);
  const runner = new StoreCommandRunner({ store, clock: () => NOW, newId: () => 'unused' });
  const append = (...events: readonly { type: string; data: unknown }[]) =>
    store.append({
      stream: memoryStream(ANN),
      events,
      expected: 'any',
      at: NOW,
      userId: ANN,
      correlationId: 'test',
      causationId: null,
    });
  const asked: string[][] = [];
  const state = {
    model: 'local-runner/small',
    answers: SMALL as typeof SMALL | typeof LARGE,
    safe: true,
    vector: undefined as Float32Array | undefined,
    reads: store as Pick<EventReader, 'readAll'>,
    /** Happens while the model is at work. */
    atWork: () => {},
  };
  const stopping = new AbortController();
  const vectorOf = (text: string) => state.vector ?? Float32Array.of(text.length, 0.25, -1.5);
  const vectors = new ConclusionVectors({
    context: () => ({ store: state.reads, runner }),
    embedder: {
      get model() {
        return state.model;
      },
      isResting: false,
      async embed(texts) {
        asked.push([...texts]);
        state.atWork();
        return { ...state.answers, vectors: texts.map(vectorOf) };
      },
    },
    guard: {
      mayWork: async () => ({ safe: state.safe }),
      mayCompute: async () => ({ safe: true }),
    },
    onFailure: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  const of = (...ids: readonly string[]) =>
    vectors.of({
      userId: ANN,
      conclusions: ids.map((id) => ({ id, text: `What ${id} says` })),
      correlationId: 'test',
      signal: stopping.signal,
    });
  return { directory, store, append, asked, state, vectorOf, of, stopping };
}

describe('vectors of conclusions', () => {
  test('are made once for each model, and kept', async () => {
    const { store, append, asked, state, vectorOf, of } = await start();
    await append(aConclusion('c1'), aConclusion('c2'));
    assert.deepEqual((await of('c1')).get('c1'), vectorOf('What c1 says'));
    assert.deepEqual([...(await of('c1', 'c2')).keys()], ['c1', 'c2']);
    assert.deepEqual(asked, [['What c1 says'], ['What c2 says']]);
    Object.assign(state, { model: 'cloud-b/large', answers: LARGE });
    assert.equal((await of('c1', 'c2')).size, 2);
    assert.equal(asked.length, 3);
    await of('c1', 'c2');
    assert.equal(asked.length, 3);
    await store.close();
  });

  test('are no longer read nor made once the service stops, which is nothing to tell of', async () => {
    const { store, append, asked, state, of, stopping } = await start();
    await append(aConclusion('c1'));
    state.atWork = () => {
      stopping.abort();
      throw new Error('cut off');
    };
    await assert.rejects(of('c1'), { name: 'AbortError' });
    let pages = 0;
    state.reads = {
      async *readAll() {
        for (; pages < 3; pages++) yield { events: [], position: 0 };
      },
    };
    await assert.rejects(of('c1'), { name: 'AbortError' });
    assert.deepEqual([pages, asked.length], [0, 1]);
    await store.close();
  });

  test('are asked for in parts, and only while the machine is free', async () => {
    const { store, append, asked, state, of } = await start();
    const ids = Array.from({ length: 150 }, (_, index) => `c${index}`);
    await append(...ids.map((id) => aConclusion(id)));
    state.safe = false;
    assert.equal((await of(...ids)).size, 0);
    state.safe = true;
    assert.equal((await of(...ids)).size, 150);
    assert.deepEqual(
      asked.map(({ length }) => length),
      [64, 64, 22],
    );
    await store.close();
  });

  test('that are kept are opened sixty-four at a stretch, and others have their turn between', async () => {
    const { store, append, asked, state, of } = await start();
    const ids = Array.from({ length: 200 }, (_, index) => `c${index}`);
    await append(...ids.map((id) => aConclusion(id)));
    await of(...ids);
    const pages = await Array.fromAsync(
      store.readAll({ after: 0, userId: ANN, types: new Set([conclusionEmbedded.type]) }),
    );
    const events = pages.flatMap((page) => page.events);
    assert.equal(events.length, ids.length);
    // All in one page, and with no turn that passes while they are read.
    state.reads = {
      async *readAll() {
        yield { events, position: 0 };
      },
    };
    asked.length = 0;
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    assert.equal((await of(...ids)).size, ids.length);
    isOver = true;
    assert.ok(turns === 3 || turns === 4, `${turns} turns`);
    assert.deepEqual(asked, []);
    await store.close();
  });

  test('of a model that stood in for another are of no use', async () => {
    const { store, append, state, of } = await start();
    await append(aConclusion('c1'));
    state.answers = LARGE;
    assert.equal((await of('c1')).size, 0);
    await store.close();
  });

  test('that say nothing are not kept, and asked for again', async () => {
    const { store, append, asked, state, of } = await start();
    await append(aConclusion('c1'));
    for (const vector of [Float32Array.of(0, 0), Float32Array.of(Number.NaN, 1), new Float32Array()]) {
      state.vector = vector;
      assert.equal((await of('c1')).size, 0);
    }
    state.vector = undefined;
    assert.equal((await of('c1')).size, 1);
    assert.equal(asked.length, 4);
    await store.close();
  });

  test('go with the conclusion, and leave no trace', async () => {
    const { directory, store, append, vectorOf, of } = await start();
    await append(aConclusion('c1'), aConclusion('c2'));
    await of('c1', 'c2');
    await append({ type: 'memory.conclusions.erased', data: { conclusionIds: ['c1'], because: 'asked' } });
    const left = await of('c2');
    assert.deepEqual([...left.keys()], ['c2']);
    // Not of one that was erased while the model was asked, either.
    await of('c1');
    await store.close();
    for (const [name, bytes] of bytesOf(directory))
      for (const trace of ['What c1 says', packed(vectorOf('What c1 says'))])
        assert.equal(bytes.includes(trace), false, name);
  });
});
