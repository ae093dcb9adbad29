import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'vitest';
import { digestOf } from '../../../src/application/devices/keys.ts';
import { DeviceProofs } from '../../../src/application/devices/proofs.ts';
import { deleteDevice, linkDevice } from '../../../src/commands/devices/device.ts';
import { acceptSignature, challengeDevice, rotateSecret } from '../../../src/commands/devices/proving.ts';
import { HarkError } from '../../../src/errors.ts';
import { findDevice } from '../../../src/projections/devices/devices.ts';
import { deviceLog, NOTHING, who } from '../../support/deviceLog.ts';
import { NOW } from '../../support/given.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('what devices prove', () => {
  let log: Awaited<ReturnType<typeof deviceLog>>;
  let proofs: DeviceProofs;
  const failures: unknown[] = [];
  beforeEach(async () => {
    log = await deviceLog();
    failures.length = 0;
    proofs = new DeviceProofs((_what, error) => failures.push(error));
    await log.add('lamp', 'right');
  });

  /** What was shown over it before is known by that. */
  const connection = {};
  const prove = (id = 'lamp', secret = 'right', over: object = connection) =>
    proofs.prove(log, { id, secret, at: log.time.now, over });
  const known = () => findDevice(log.views, 'lamp', log.time.now);
  const recorded = async () => {
    const times: number[] = [];
    for await (const page of log.store.readStream('device-lamp'))
      for (const { type, data } of page)
        if (type === 'device.authenticated') times.push(Number(Reflect.get(Object(data), 'times')));
    return times;
  };

  it('is whom they speak for, and what they may use', async () => {
    assert.deepEqual(prove(), { deviceId: 'lamp', userId: 'ann', trustLevel: 2, capabilities: NOTHING });
    await log.runner.run(linkDevice, { deviceId: 'lamp', userId: 'bob' }, who);
    assert.deepEqual(prove(), { deviceId: 'lamp', userId: 'bob', trustLevel: 2, capabilities: NOTHING });
  });

  it('is nothing with another secret, another id, or once they are kept out', async () => {
    await log.add('door', 'other');
    for (const answer of [prove('lamp', 'other'), prove('door'), prove('nobody'), prove('lamp', '')])
      assert.equal(answer, 'wrong');
    for (const status of ['pending', 'suspended', 'revoked'] as const) {
      await log.change('lamp', status);
      assert.deepEqual([prove(), prove('lamp', 'other')], [status, 'wrong']);
      assert.equal(proofs.standing(log, 'lamp', NOW), undefined);
    }
    await log.change('lamp', 'active');
    assert.equal(proofs.standing(log, 'lamp', NOW)?.userId, 'ann');
    await log.runner.run(deleteDevice, { deviceId: 'lamp' }, who);
    assert.equal(prove(), 'wrong');
    assert.equal(proofs.standing(log, 'lamp', NOW), undefined);
  });

  it('is known again over the same connection until anything happens to the device, and for that secret alone', async () => {
    const isRight = (...shown: Parameters<typeof prove>) => typeof prove(...shown) === 'object';
    for (let times = 0; times < 3; times++) assert.ok(isRight());
    for (const wrong of ['righ', 'righu', 'rights', 'thgir', 'right'.repeat(30)]) {
      assert.ok(!isRight('lamp', wrong), wrong);
      assert.ok(isRight());
    }
    await log.add('door', 'other');
    assert.ok(!isRight('door'));
    assert.ok(isRight('door', 'other'));
    assert.ok(!isRight('door', 'right'));
    assert.ok(isRight('lamp', 'right', {}));
    await log.runner.run(rotateSecret, { deviceId: 'lamp', secret: digestOf('new') }, who);
    assert.ok(!isRight());
    assert.ok(isRight('lamp', 'new'));
    assert.ok(!isRight());
  });

  it('is known again by a token only until that is over', async () => {
    await log.add('lock', 'nothing', 'a key');
    const token = { digest: digestOf('token'), expiresAt: NOW + MINUTE_MS };
    const challenge = { deviceId: 'lock', challenge: 'sign', expiresAt: NOW + MINUTE_MS };
    await log.runner.run(challengeDevice, challenge, who);
    await log.runner.run(acceptSignature, { deviceId: 'lock', challenge: 'sign', token }, who);
    assert.equal(typeof prove('lock', 'token'), 'object');
    log.time.now += MINUTE_MS - 1;
    assert.equal(typeof prove('lock', 'token'), 'object');
    log.time.now += 1;
    assert.equal(prove('lock', 'token'), 'wrong');
    assert.equal(typeof prove(), 'object');
  });

  it('is counted at once, and recorded now and then', async () => {
    for (let times = 0; times < 5; times++) prove();
    const { authentications, lastSeenAt } = proofs.seen(known() ?? assert.fail());
    assert.deepEqual([authentications, lastSeenAt], [5, NOW]);
    await proofs.flush(log);
    assert.deepEqual(await recorded(), [1, 4]);
    log.time.now += 5 * MINUTE_MS - 1;
    prove();
    assert.deepEqual((await recorded()).length, 2);
    log.time.now += 1;
    prove();
    await proofs.flush(log);
    assert.deepEqual(await recorded(), [1, 4, 2]);
    assert.equal(known()?.authentications, 7);
  });

  it('makes trust of ten times over seven days, wherever it is counted', async () => {
    for (let times = 0; times < 9; times++) prove();
    await proofs.flush(log);
    log.time.now += 7 * DAY_MS;
    const tenth = prove();
    assert.equal(typeof tenth === 'string' ? tenth : tenth.trustLevel, 3);
    await proofs.flush(log);
    const others = new DeviceProofs(assert.fail);
    assert.equal(others.standing(log, 'lamp', log.time.now)?.trustLevel, 3);
  });

  it('is shown also while the log is away, which is not asked for with each request', async () => {
    let asked = 0;
    const run = () => {
      asked++;
      return Promise.reject(new HarkError('KVSTORE_UNAVAILABLE'));
    };
    const away = { views: log.views, runner: { run, read: () => assert.fail() } };
    for (let times = 0; times < 100; times++)
      assert.equal(typeof proofs.prove(away, { id: 'lamp', secret: 'right', at: NOW, over: {} }), 'object');
    await proofs.flush(away);
    assert.deepEqual([asked, failures.length], [2, 2]);
    await assert.rejects(proofs.confirm(away, { id: 'lamp', secret: 'right', at: NOW }), /not available/);
    await proofs.flush(log);
    assert.deepEqual(await recorded(), [100]);
  });
});
