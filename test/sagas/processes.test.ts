import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, it } from 'vitest';
import { Log } from '../../src/store/log.ts';
import { RedisAdapter } from '../../src/store/redis/adapter.ts';
import { readAll } from '../store/contract.ts';
import { count, counted } from '../store/sampleEvents.ts';
import { range } from '../support/range.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { begun, cursorAt, sagaCatalog, Witness } from '../support/sagas.ts';
import { skippedFor } from '../support/skippedFor.ts';

const QUESTIONS = 200;
const KEYS = 10;

class Answerer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly name: string;
  readonly said = new Witness<string>();

  constructor(url: string, name: string, anybody: Witness<Answerer>) {
    this.name = name;
    const script = fileURLToPath(new URL('./answering.ts', import.meta.url));
    this.#child = spawn(process.execPath, [script, url, name], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface(this.#child.stdout).on('line', (line) => {
      this.said.add(line);
      if (line !== 'ready') anybody.add(this);
    });
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'close');
  }

  async stop(): Promise<number | null> {
    this.#child.stdin.end();
    const [code] = await once(this.#child, 'close');
    return code;
  }
}

describe('two processes on one Redis', { ...skippedFor(redisIsMissing) }, () => {
  const undo: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of undo.splice(0).reverse()) await step();
  });

  it('answer every event exactly once between them, although one is killed at work', async () => {
    const server = await RedisServer.start({ appendonly: 'yes', appendfsync: 'always' });
    undo.push(() => server.stop());
    const log = await Log.open(await RedisAdapter.open(server.url), sagaCatalog);
    undo.push(() => log.close());
    await begun(log);
    const answered = new Witness<Answerer>();
    const answerers = ['one', 'two'].map((name) => new Answerer(server.url, name, answered));
    undo.push(...answerers.map((each) => () => each.kill()));
    await Promise.all(answerers.map(({ said }) => said.until((lines) => lines.includes('ready'))));

    const asking = (async () => {
      for (const n of range(1, QUESTIONS + 1)) await log.append(count(`s${n % KEYS}`, n));
    })();
    const [victim] = (await answered.count(QUESTIONS / 4)).slice(-1);
    await victim?.kill();
    // What it held would be free once it had run out: nobody has to wait for that here.
    const held = victim && (await log.acquireLease('saga-sample', victim.name, 1_000));
    if (held) await log.releaseLease(held);
    const survivor = answerers.find((each) => each !== victim);
    await asking;
    await cursorAt(log, 'sample', 3 * QUESTIONS);

    assert.ok(survivor && survivor.said.items.length > 1, 'the other one took over');
    const all = await readAll(log);
    for (const key of range(0, KEYS)) {
      for (const answer of ['first', 'second']) {
        const ofKey = all.filter(({ stream }) => stream === `s${key}-${answer}-answer`);
        assert.deepEqual(
          ofKey.map(({ data }) => counted.data.parse(data).n),
          range(1, QUESTIONS + 1).filter((n) => n % KEYS === key),
        );
      }
    }
    assert.equal(await survivor.stop(), 0);
  });
});
