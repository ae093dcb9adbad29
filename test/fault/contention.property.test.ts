import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fc, it } from '@fast-check/vitest';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { isHarkError } from '../../src/errors.ts';
import { Log } from '../../src/store/log.ts';
import { RedisAdapter } from '../../src/store/redis/adapter.ts';
import { count, sampleCatalog } from '../store/sampleEvents.ts';
import { range } from '../support/range.ts';
import { RedisServer, redisIsMissing } from '../support/redis.ts';
import { skippedFor } from '../support/skippedFor.ts';
import type { Fulfilled, Round, Wish } from './contender.ts';

const CONTENDER = join(import.meta.dirname, 'contender.ts');
const PROCESSES = 3;
const BOUND_MS = 5_000;

const note = fc.constantFrom('n1', 'n2', 'n3');
const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom('count', 'count', 'count', 'note', 'note', 'forget', 'nothing'),
  note,
});
const writer = fc.array(wish, { minLength: 1, maxLength: 60 });
const ofProcess = fc.array(writer, { minLength: 1, maxLength: 4 });

describe('three processes that write to one user', {
  ...skippedFor(redisIsMissing),
}, () => {
  let redis: RedisServer;
  const contenders: ChildProcess[] = [];
  let rounds = 0;

  beforeAll(async () => {
    redis = await RedisServer.start();
    for (const _ of range(0, PROCESSES)) contenders.push(fork(CONTENDER, [redis.url]));
    await Promise.all(contenders.map((contender) => once(contender, 'message')));
  });
  afterAll(async () => {
    for (const contender of contenders) contender.kill('SIGKILL');
    await redis?.stop();
  });

  async function contend(wishes: readonly (readonly (readonly Wish[])[])[]): Promise<Fulfilled[][]> {
    const stream = `s${rounds++}`;
    return Promise.all(
      contenders.map(async (contender, index) => {
        const answered = once(contender, 'message');
        contender.send({ stream, writers: wishes[index] ?? [] } satisfies Round);
        const [fulfilled]: Fulfilled[][] = await answered;
        assert(fulfilled);
        return fulfilled;
      }),
    );
  }

  it.prop([fc.tuple(ofProcess, ofProcess, ofProcess)], { numRuns: 25 })(
    'are refused nothing, lose nothing, and wait for seconds at most',
    async (wishes) => {
      const all = (await contend(wishes)).flat();
      assert.deepEqual(
        all.filter(({ refusal }) => refusal !== undefined),
        [],
      );
      const slowest = Math.max(...all.map(({ ms }) => ms));
      assert.ok(slowest < BOUND_MS, `the slowest took ${slowest} ms`);
      const versions = all.filter(({ kind }) => kind !== 'nothing').map(({ version }) => version);
      assert.deepEqual(
        versions.sort((a, b) => a - b),
        range(1, versions.length + 1),
      );
    },
  );

  it('come to their turns alike: none has to watch the others finish', async () => {
    const EACH = 300;
    const counting = [Array.from({ length: EACH }, (): Wish => ({ kind: 'count', note: 'n1' }))];
    const outcomes = await contend(range(0, PROCESSES).map(() => counting));
    const firstDone = Math.min(...outcomes.map((own) => Math.max(...own.map(({ version }) => version))));
    for (const own of outcomes) {
      const done = own.filter(({ version }) => version <= firstDone).length;
      assert.ok(done > EACH / 2, `${done} of ${EACH} were done when the first process had done all`);
    }
  });

  describe('when one of them lost', () => {
    const open = async () => Log.open(await RedisAdapter.open(redis.url), sampleCatalog);
    const lost = (error: unknown) => isHarkError(error, 'CONFLICT');
    let winner: Log;
    let loser: Log;
    let stream: string;

    beforeAll(async () => {
      winner = await open();
      loser = await open();
    });
    afterAll(() => Promise.all([winner.close(), loser.close()]));
    beforeEach(async () => {
      stream = `t${rounds++}`;
      await winner.append(count(stream, 1, { expected: 0 }));
      await assert.rejects(loser.append(count(stream, 2, { expected: 0 })), lost);
    });

    it('it goes next, also before one that was there earlier', async () => {
      const again = winner.append(count(stream, 3, { expected: 1 }));
      assert.equal((await loser.append(count(stream, 2, { expected: 1 }))).version, 2);
      await assert.rejects(again, lost);
      assert.equal((await winner.append(count(stream, 3, { expected: 2 }))).version, 3);
    });

    it('and does not try again, the others go on', async () => {
      await loser.leaveTurn(stream);
      assert.equal((await winner.append(count(stream, 3, { expected: 1 }))).version, 2);
    });

    it('and is not heard of any more, the others go on in the end', async () => {
      assert.equal((await winner.append(count(stream, 3, { expected: 1 }))).version, 2);
    });

    it('others are not held up where they expect no version', async () => {
      assert.equal((await winner.append(count(stream, 3))).version, 2);
    });
  });
});
