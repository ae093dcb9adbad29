import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../../support/service.ts';
import { hark } from './hark.ts';

describe('hark capture', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '1000' });
  });
  afterAll(() => service.stop());
  const capture = (...args: readonly string[]) =>
    hark(['capture', ...args, '--user', 'ann'], { HARK_URL: service.url });

  test('gives consent, shows streams, pauses and forgets', async () => {
    assert.equal((await capture('status')).stdout, 'nothing is recorded\n');
    assert.equal((await capture('consent', 'kitchen')).stdout, 'kitchen: nothing is recorded\n');
    assert.equal((await capture('consent', 'kitchen', 'passive')).stdout, 'kitchen: passive\n');
    const body = { deviceId: 'kitchen', modalities: ['audio'] };
    await service.ask('POST', '/api/capture/start', { body, headers: { 'x-user-id': 'ann' } });
    assert.match((await capture('status')).stdout, /^active {2}kitchen {2}active-participant {2}passive /);
    assert.match((await capture('pause', '5')).stdout, /^paused until 2023-/);
    assert.match((await capture('status')).stdout, /^paused until .*\npaused {2}kitchen/);
    assert.equal((await capture('resume')).stdout, 'capture goes on where a device may\n');
    assert.equal((await capture('forget', '5')).stdout, 'forgotten: 0 segments, 0 episodes, 0 conclusions\n');
    assert.equal((await capture('consent', 'kitchen', 'none')).stdout, 'kitchen: nothing is recorded\n');
    assert.match((await capture('status')).stdout, /^stopped {2}kitchen/);
  });

  test('says what is wrong', async () => {
    const level = await capture('consent', 'kitchen', 'all');
    assert.deepEqual([level.code, /"all" is no level/.test(level.stderr)], [64, true]);
    assert.equal((await capture('forget', 'some')).code, 64);
    assert.equal((await capture('pause', '0')).code, 1);
  });
});
