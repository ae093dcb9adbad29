import assert from 'node:assert/strict';
import { test } from 'vitest';
import { z } from 'zod';
import { StoreCommandRunner } from '../../src/commands/runner.ts';
import type { Kvstore } from '../../src/interfaces/kvstore.ts';
import type { AnyOperation, Caller } from '../../src/interfaces/operation.ts';
import { eventOperations } from '../../src/interfaces/operations/events.ts';
import { ProjectionRuntime } from '../../src/projections/runtime.ts';
import { Log } from '../../src/store/log.ts';
import { AT, count, forget, note, sampleCatalog } from '../store/sampleEvents.ts';
import { WatchedAdapter } from '../support/watchedAdapter.ts';

const pageOf = z.object({ events: z.array(z.object({ version: z.number() })), next: z.number() });
const rangeOf = z.object({ limit: z.number(), afterPosition: z.number() });

async function logOfTwoUsers() {
  const adapter = new WatchedAdapter();
  const store = await Log.open(adapter, sampleCatalog);
  await store.append(count('counter', 1));
  await store.append(note('ann', 'n1', "ann's first note"));
  await store.append(note('ben', 'n1', "ben's note"));
  await store.append(note('ann', 'n2', "ann's second note"));
  return { store, adapter, ...operationsOn(store) };
}

function operationsOn(store: Log) {
  const runner = new StoreCommandRunner({ store, clock: () => AT, newId: () => 'id' });
  const current = { store, runner, views: new ProjectionRuntime(store, []), instanceId: 'one' };
  const kvstore: Kvstore = {
    current,
    connected: () => current,
    reachable: () => current,
    status: () => store.status(),
    reconnect: () => assert.fail(),
  };
  const operations = eventOperations(
    kvstore,
    sampleCatalog.map(({ type }) => type),
  );
  return { list: named(operations, 'events.list'), follow: named(operations, 'events.follow') };
}

function named(operations: readonly AnyOperation[], name: string) {
  const operation = operations.find((candidate) => candidate.name === name);
  assert(operation);
  return operation;
}

function callerOf(userId: string, signal = new AbortController().signal): Caller {
  return { userId, correlationId: 'c', address: '127.0.0.1', isLoopback: true, signal };
}

async function listFor(userId: string, input: Record<string, unknown>): Promise<string> {
  const { list } = await logOfTwoUsers();
  return JSON.stringify(await list.run(list.input().parse(input), callerOf(userId)));
}

test("who lists the log sees what is theirs and the system's, and no one else's", async () => {
  const seen = await listFor('ann', {});
  assert.match(seen, /sample\.counter\.counted.*ann's first note.*ann's second note/);
  assert.doesNotMatch(seen, /ben/);
});

test("who names another's stream finds nothing in it", async () => {
  assert.equal(JSON.parse(await listFor('ann', { stream: 'notes-ben' })).events.length, 0);
  assert.equal(JSON.parse(await listFor('ben', { stream: 'notes-ben' })).events.length, 1);
});

test('each page of a stream starts where the one before ended, and reads no more than it shows', async () => {
  const { store, adapter } = await logOfTwoUsers();
  for (let n = 2; n <= 600; n++) await store.append(count('counter', n));
  // Opened anew, the log has none of it in memory.
  const { list } = operationsOn(await Log.open(adapter, sampleCatalog));
  adapter.calls.length = 0;
  const shown: number[] = [];
  for (let after = 0, pages = 0; pages < 3; pages++) {
    const input = list.input().parse({ stream: 'counter', limit: 5, after: String(after) });
    const page = pageOf.parse(await list.run(input, callerOf('ann')));
    shown.push(...page.events.map(({ version }) => version));
    after = page.next;
  }
  assert.deepEqual(
    shown,
    Array.from({ length: 15 }, (_, index) => index + 1),
  );
  // What the log asks for itself meanwhile (its tail looks for what others wrote) is not what this is about.
  const reads = adapter.calls.filter(({ name }) => name === 'readStream');
  const ranges = reads.map(({ args }) => rangeOf.parse(args[1]));
  assert.deepEqual(
    ranges.map(({ limit }) => limit),
    [5, 5, 5],
  );
  assert.deepEqual(
    ranges.map(({ afterPosition }) => afterPosition > 0),
    [false, true, true],
  );
});

test("who follows the log is shown no one else's events", async () => {
  const { store, follow } = await logOfTwoUsers();
  assert(follow.kind === 'stream');
  const ended = new AbortController();
  const messages = await follow.run(follow.input().parse({ after: '0' }), callerOf('ben', ended.signal));
  await store.append(note('ann', 'n3', "ann's third note"));
  await store.append(note('ben', 'n2', 'the last'));
  let seen = '';
  for await (const batch of messages) {
    seen += JSON.stringify(batch);
    if (seen.includes('the last')) ended.abort();
  }
  assert.doesNotMatch(seen, /ann/);
  assert.match(seen, /ben's note/);
});

test('what was forgotten is shown as erased', async () => {
  const { store, list } = await logOfTwoUsers();
  await store.append(forget('ann', 'n1'));
  const page = JSON.parse(JSON.stringify(await list.run(list.input().parse({}), callerOf('ann'))));
  const [, first, second] = page.events;
  assert.deepEqual([first.erased, first.data.text, first.data.words], [true, null, 3]);
  assert.equal(second.data.text, "ann's second note");
});
