import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../../support/service.ts';
import { hark } from './hark.ts';

describe('hark devices', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '1000' });
  });
  afterAll(() => service.stop());
  const devices = (...args: readonly string[]) =>
    hark(['devices', ...args, '--user', 'ann'], { HARK_URL: service.url });
  const register = async (body: object) => {
    const whole = { type: 'esp32', capabilities: { audio: true, buttons: true }, ...body };
    const headers = { 'X-User-Id': 'ann' };
    const answer = await service.ask<{ device: { id: string } }>('POST', '/api/devices/register', {
      headers,
      body: whole,
    });
    return answer.body.device.id;
  };

  test('lists who waits with the letters, approves and revokes them', async () => {
    assert.equal((await devices('list')).stdout, 'nothing\n');
    const keyed = {
      publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      nonce: 'AAAAAAAAAAAAAAAAAAAAAA',
      name: 'Kitchen\u001b[2J',
    };
    const id = await register(keyed);
    const waiting = await devices('list', '--status', 'pending');
    assert.match(waiting.stdout, /^pending {2}esp32 {2}\S+ {2}trust 0 {2}never seen {2}Kitchen/);
    assert.match(waiting.stdout, / of nobody letters [B-Z]{12}\n$/);
    assert.ok(!waiting.stdout.includes('\u001b'));
    const approved = await devices('approve', id, '--only', 'buttons', '--json');
    const { device } = JSON.parse(approved.stdout);
    assert.deepEqual(
      [device.status, device.userId, device.capabilities.buttons, device.capabilities.audio],
      ['active', 'ann', true, false],
    );
    assert.match((await devices('revoke', id)).stdout, /^revoked /);
    assert.equal((await devices('list', '--status', 'active')).stdout, 'nothing\n');
    const gone = await devices('approve', 'nobody');
    assert.deepEqual([gone.code, gone.stderr.includes('Unknown device')], [1, true]);
    assert.equal((await devices('approve', id, '--only', 'wings')).code, 64);
  });

  test('shows a code as a picture and as text, and it works', async () => {
    const shown = await devices('pair', '--type', 'esp32', '--only', 'audio');
    assert.equal(shown.code, 0, shown.stderr);
    const [, url = '', code = ''] = /(http\S+#pair=([\w-]+)&key=[\w-]+)\n/.exec(shown.stdout) ?? [];
    assert.match(shown.stdout, /[█▀▄]{20}/);
    assert.match(shown.stdout, new RegExp(`code ${code}, for one device, until 2023-`));
    assert.ok(url.startsWith(service.url));
    const id = await register({ pairingCode: code });
    assert.match((await devices('list', '--type', 'esp32')).stdout, new RegExp(`active +esp32 +${id} `));
  });
});
