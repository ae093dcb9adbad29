import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { ForeignServer } from '../../support/foreignServer.ts';
import { InProcessService } from '../../support/service.ts';
import { hark } from './hark.ts';

describe('hark tools', () => {
  let service: InProcessService;
  let foreign: ForeignServer;
  beforeAll(async () => {
    foreign = await ForeignServer.start();
    service = await InProcessService.start({ API_RATE_LIMIT: '1000' });
  });
  afterAll(async () => {
    await service.stop();
    await foreign.stop();
  });
  const tools = (...args: readonly string[]) => hark(['tools', ...args], { HARK_URL: service.url });

  test('says how the servers are, and asks one', async () => {
    assert.equal((await tools('status')).stdout, 'nothing\n');
    const toolServers = JSON.stringify([
      { name: 'far', prefix: 'far', url: foreign.url, autoReconnect: false },
    ]);
    assert.equal((await service.put('/api/settings', { toolServers })).status, 200);
    const { code, stdout } = await tools('probe', 'far');
    assert.equal(code, 0);
    assert.match(stdout, /^connected {2}far {2}far\.\* {2}1 tool {2}2025-06-18 {2}/);
    const { stdout: json } = await tools('status', '--json');
    assert.equal(JSON.parse(json).servers[0].state, 'connected');
  });

  test('fails where one is not there', async () => {
    await foreign.stop();
    const gone = await tools('probe', 'far');
    assert.equal(gone.code, 1);
    assert.match(gone.stdout, /^disconnected {2}far .*It cannot be reached/);
    assert.match(gone.stderr, /far is not connected/);
    const unknown = await tools('probe', 'nobody');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /Unknown tool server/);
  });
});
