import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, it } from 'vitest';
import { Log } from '../../src/store/log.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import type { StoredEvent } from '../../src/store/storedEvent.ts';
import { readAll } from '../store/contract.ts';
import { noted, sampleCatalog } from '../store/sampleEvents.ts';
import { Random } from '../support/random.ts';
import { type Acknowledged, digestOf, erasedDigestOf } from './acknowledged.ts';

const WRITER = fileURLToPath(new URL('./loadedWriter.ts', import.meta.url));
/** Half of a start would go into compiling what the start before had compiled. */
const COMPILED = mkdtempSync(join(tmpdir(), 'hark-compiled-'));
const KILLS_PER_DIRECTORY = 100;
const KILLS_PER_CHECK = 10;

describe.concurrent('the embedded store, killed under load', { timeout: 900_000 }, () => {
  afterAll(() => rmSync(COMPILED, { recursive: true, force: true }));

  for (const seed of [1, 2]) {
    it(`keeps all that it acknowledged, and nothing by halves (seed ${seed})`, async (test) => {
      const directory = mkdtempSync(join(tmpdir(), 'hark-kill-'));
      const random = new Random(seed);
      const acknowledged: Acknowledged[] = [];
      try {
        for (let run = 1; run <= KILLS_PER_DIRECTORY; run++) {
          const lines = random.whole(5, 151);
          // An answer comes right after a commit; a little later, the next one is under way.
          const laterMs = random.whole(0, 4);
          acknowledged.push(...(await writeUntilKilled({ directory, seed, run, lines, laterMs })));
          if (run % KILLS_PER_CHECK === 0) await check(directory, acknowledged);
        }
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
      await test.annotate(`${KILLS_PER_DIRECTORY} kills, ${acknowledged.length} acknowledged appends`);
    });
  }
});

interface Run {
  readonly directory: string;
  readonly seed: number;
  readonly run: number;
  readonly lines: number;
  readonly laterMs: number;
}

/** Everything that the writer said in its life, and so also what nobody had read yet when it was killed. */
async function writeUntilKilled({ directory, seed, run, lines, laterMs }: Run): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [WRITER, directory, String(seed), String(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
  const closed = once(child, 'close');
  const said: Acknowledged[] = [];
  let rest = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    const whole = `${rest}${chunk}`.split('\n');
    // Killed in the middle of a line, it had not said it.
    rest = whole.pop() ?? '';
    const before = said.length;
    for (const line of whole) said.push(JSON.parse(line));
    if (before < lines && said.length >= lines) void sleep(laterMs).then(() => child.kill('SIGKILL'));
  }
  const [, signal] = await closed;
  assert.equal(signal, 'SIGKILL', `the writer of run ${run} ended by itself`);
  return said;
}

async function check(directory: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  const adapter = await SqliteAdapter.open(directory);
  try {
    const store = await Log.open(adapter, sampleCatalog);
    const all = await readAll(store);
    checkOrder(all);
    checkErased(all);
    const appends = appendsOf(all);
    checkCommands(appends, acknowledged);
    for (const each of acknowledged) if (!each.repeated) checkKept(appends.get(each.id), each);
    for (const [stream, events] of Map.groupBy(all, (event) => event.stream)) {
      const read = await Array.fromAsync(store.readStream(stream));
      assert.deepEqual(read.flat().map(plain), events.map(plain), `stream ${stream}`);
    }
  } finally {
    await adapter.close();
  }
}

function checkOrder(all: readonly StoredEvent[]): void {
  const versions = new Map<string, number>();
  for (const [index, event] of all.entries()) {
    assert.equal(event.position, index + 1);
    const version = (versions.get(event.stream) ?? 0) + 1;
    assert.equal(event.version, version, `version of ${event.stream} at ${event.position}`);
    versions.set(event.stream, version);
  }
}

/** Unreadable is what was forgotten after it was written, all of that and nothing else. */
function checkErased(all: readonly StoredEvent[]): void {
  const forgotten = new Set<string>();
  for (const event of all.toReversed()) {
    for (const subject of event.forgets) forgotten.add(`${event.userId} ${subject}`);
    if (event.type !== noted.type) continue;
    const isForgotten = [event.subject, '*'].some((subject) => forgotten.has(`${event.userId} ${subject}`));
    assert.equal(event.erased, isForgotten, `${event.subject} of ${event.userId} at ${event.position}`);
    const { text } = event.data as { readonly text: string | null };
    assert.equal(text === null, isForgotten);
  }
}

/** The events of each append, which must be all of them, side by side. */
function appendsOf(all: readonly StoredEvent[]): Map<string, readonly StoredEvent[]> {
  const appends = Map.groupBy(all, (event) => event.correlationId);
  for (const [id, events] of appends) {
    const [first] = events;
    assert.equal(events.length, Number(first?.causationId?.split(' ')[0]), `events of append ${id}`);
    for (const [index, event] of events.entries()) {
      assert.equal(event.position, (first?.position ?? 0) + index);
      assert.equal(event.stream, first?.stream);
    }
  }
  return appends;
}

/** One append to a command id, and the answer to all who asked for it again. */
function checkCommands(
  appends: ReadonlyMap<string, readonly StoredEvent[]>,
  acknowledged: readonly Acknowledged[],
): void {
  const byCommand = new Map<string, StoredEvent | undefined>();
  for (const events of appends.values()) {
    const commandId = events[0]?.causationId?.split(' ')[1];
    if (!commandId) continue;
    assert.ok(!byCommand.has(commandId), `command ${commandId} was carried out twice`);
    byCommand.set(commandId, events.at(-1));
  }
  for (const { id, commandId, position, repeated, firstVersion, count } of acknowledged) {
    if (commandId === null) continue;
    const last = byCommand.get(commandId);
    assert.equal(last?.position, position, `answer to command ${commandId}`);
    assert.equal(last.version, firstVersion + count - 1, `answer to command ${commandId}`);
    assert.equal(repeated, last.correlationId !== id);
  }
}

function checkKept(events: readonly StoredEvent[] | undefined, each: Acknowledged): void {
  const what = `acknowledged append ${each.id} to ${each.stream}`;
  assert.equal(events?.length, each.count, what);
  assert.equal(events[0]?.stream, each.stream, what);
  assert.equal(events[0]?.version, each.firstVersion, what);
  assert.equal(events.at(-1)?.position, each.position, what);
  const isErased = events.some(({ erased }) => erased);
  if (!isErased) assert.equal(digestOf(events), each.digest, what);
  assert.equal(erasedDigestOf(events), each.erasedDigest, what);
}

function plain(event: StoredEvent): unknown {
  return event.toJSON();
}
