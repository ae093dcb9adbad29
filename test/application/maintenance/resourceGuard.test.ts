import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  type BusyReason,
  type Diagnosis,
  type MachineReadings,
  ResourceGuard,
} from '../../../src/application/maintenance/resourceGuard.ts';
import { NOW } from '../../support/given.ts';

/** A machine on which everything speaks against work in the background. */
const busy: MachineReadings = {
  policy: () => 'auto',
  providersOf: async () => ['local-runner'],
  isRunnerRemote: () => false,
  isChatting: () => true,
  activeVoiceSessions: () => 1,
  lastVoiceEndedAt: () => NOW - 29_999,
  load: () => ({ average: 3.3, cpus: 4 }),
  keptUntil: async () => [NOW + 60_000, NOW + 292 * 365 * 86_400_000],
  clock: () => NOW,
};

/** What has to be otherwise for each rule to say nothing, in the order of the rules. */
const quiet: Partial<MachineReadings>[] = [
  { activeVoiceSessions: () => 0 },
  { lastVoiceEndedAt: () => NOW - 30_000 },
  { load: () => ({ average: 3.2, cpus: 4 }) },
  { keptUntil: async () => [NOW + 60_000] },
];

function guardOf(readings: Partial<MachineReadings>) {
  const answers: Diagnosis[] = [];
  const guard = new ResourceGuard({
    readings: { ...busy, ...readings },
    onAnswer: (answer) => answers.push(answer),
  });
  return { guard, answers };
}

const diagnose = (readings: Partial<MachineReadings>) => guardOf(readings).guard.diagnose(['maintenance']);

describe('the resource guard', () => {
  const allowed: readonly (readonly [number, Partial<MachineReadings>])[] = [
    [1, { policy: () => 'always' }],
    [2, { providersOf: async () => ['cloud-a', 'gateway'] }],
    [3, { isRunnerRemote: () => true }],
    [3, { isRunnerRemote: () => true, providersOf: async () => ['cloud-a', 'local-runner'] }],
  ];
  for (const [rule, readings] of allowed)
    it(`says yes by rule ${rule}, whatever the others would say`, async () => {
      const answer = await diagnose(readings);
      assert.deepEqual([answer.safe, answer.rule], [true, rule]);
      assert.match(answer.diagnosis, new RegExp(`^rule ${rule}: `));
    });

  const reasons: readonly (readonly [number, BusyReason])[] = [
    [4, 'voice_active'],
    [5, 'cooldown'],
    [6, 'load'],
    [7, 'model_busy'],
  ];
  for (const [index, [rule, reason]] of reasons.entries())
    it(`says no by rule ${rule}, before those that come after it`, async () => {
      const answer = await diagnose(Object.assign({}, ...quiet.slice(0, index)));
      assert.ok(!answer.safe);
      assert.deepEqual([answer.rule, answer.reason], [rule, reason]);
      assert.match(answer.diagnosis, new RegExp(`^${reason} \\(rule ${rule}\\): `));
    });

  it('says yes where no rule says anything', async () => {
    const answer = await diagnose(Object.assign({}, ...quiet));
    assert.deepEqual(answer, { safe: true, rule: null, diagnosis: 'the machine is idle' });
  });

  it('takes a load that nobody knows for none', async () => {
    const answer = await diagnose(Object.assign({}, ...quiet, { load: () => ({ average: 0, cpus: 4 }) }));
    assert.equal(answer.safe, true);
  });

  it('has nothing against work that asks no model', async () => {
    assert.equal((await diagnose({ providersOf: async () => [] })).safe, true);
  });

  it('with idle-only looks at this machine whoever is asked, and minds a turn of chat', async () => {
    const idleOnly: Partial<MachineReadings> = {
      policy: () => 'idle-only',
      providersOf: async () => ['cloud-a'],
    };
    const chatting = await diagnose(idleOnly);
    assert.deepEqual([chatting.safe, chatting.rule], [false, 1]);
    const silent = await diagnose({ ...idleOnly, isChatting: () => false });
    assert.deepEqual([silent.safe, silent.rule], [false, 4]);
    const idle = await diagnose(Object.assign({ ...idleOnly, isChatting: () => false }, ...quiet));
    assert.equal(idle.safe, true);
  });

  it('lets a model in this process compute unless somebody speaks, spoke just now, or the policy forbids it', async () => {
    const compute = async (readings: Partial<MachineReadings>) => {
      const { guard, answers } = guardOf(readings);
      const answer = await guard.mayCompute();
      assert.deepEqual(answers, [answer]);
      return answer.safe || answer.reason;
    };
    const [noSession, longAgo] = quiet;
    assert.equal(await compute({}), 'voice_active');
    assert.equal(await compute({ ...noSession }), 'cooldown');
    assert.equal(await compute({ ...noSession, ...longAgo }), true);
    assert.equal(await compute({ ...noSession, ...longAgo, policy: () => 'idle-only' }), 'policy');
    assert.equal(await compute({ policy: () => 'always' }), true);
  });

  it('tells of each answer that is acted on, and of none that is only looked at', async () => {
    const { guard, answers } = guardOf({});
    await guard.diagnose(['maintenance']);
    assert.deepEqual(answers, []);
    const answer = await guard.mayWork(['maintenance']);
    assert.deepEqual(answers, [answer]);
  });
});
