import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  type AskedSweep,
  type SweepRequest,
  SweepRequests,
} from '../../../src/application/maintenance/sweepRequests.ts';
import { HarkError } from '../../../src/errors.ts';

const ofUser = (userId: string): SweepRequest => ({ userId, by: 'request', correlationId: 'c' });

describe('sweeps that are asked for', () => {
  it('before anybody sweeps are told once somebody does', () => {
    const requests = new SweepRequests();
    void requests.ask(ofUser('ann'));
    const told: string[] = [];
    const end = requests.onAsked(({ request }) => told.push(request.userId));
    void requests.ask(ofUser('bea'));
    end();
    void requests.ask(ofUser('cem'));
    assert.deepEqual(told, ['ann', 'bea']);
  });

  it('of one user fail together, and those of another wait on', async () => {
    const requests = new SweepRequests();
    const asked: AskedSweep[] = [];
    requests.onAsked((one) => asked.push(one));
    const cutOff: string[] = [];
    requests.onCutOff(({ userId }) => cutOff.push(userId));
    const failed = ['ann', 'ann'].map((userId) =>
      assert.rejects(requests.ask(ofUser(userId)), { code: 'KVSTORE_UNAVAILABLE' }),
    );
    void requests.ask(ofUser('bea'));
    requests.fail(ofUser('ann'), new HarkError('KVSTORE_UNAVAILABLE'));
    await Promise.all(failed);
    assert.deepEqual(
      asked.map((one) => requests.isOpen(one)),
      [false, false, true],
    );
    assert.deepEqual(cutOff, ['ann']);
  });

  it('are refused when the service stops, and from then on', async () => {
    const requests = new SweepRequests();
    const waiting = assert.rejects(requests.ask(ofUser('ann')), { code: 'NOT_READY' });
    requests.stop();
    await waiting;
    await assert.rejects(requests.ask(ofUser('ann')), { code: 'NOT_READY' });
  });
});
