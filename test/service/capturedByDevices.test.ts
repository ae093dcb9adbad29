import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../support/service.ts';
import { CaptureClient } from './captureClient.ts';

const USER = 'default';

describe('a device that captures', () => {
  let service: InProcessService;
  let user: CaptureClient;
  let device: { readonly id: string; readonly headers: Record<string, string> };
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '1000000' });
    user = new CaptureClient(service, USER);
    const registered = await user.post('/api/devices/register', {
      type: 'esp32',
      capabilities: { microphone: true },
    });
    const { id } = registered.body.device as { id: string };
    await user.put(`/api/devices/${id}`, { status: 'active' });
    await user.post(`/api/devices/${id}/link`, { userId: USER });
    device = { id, headers: { 'x-device-id': id, 'x-device-secret': String(registered.body.secret) } };
  });
  afterAll(() => service.stop());
  const post = (path: string, body: unknown) => service.ask('POST', path, { body, headers: device.headers });
  const start = (captureMode: string, deviceId = device.id) =>
    post('/api/capture/start', { deviceId, modalities: ['audio'], captureMode });

  test('neither gives consent nor ends a pause, nor forgets', async () => {
    const consent = { deviceId: device.id, enabled: true, consentLevel: 'full' };
    for (const refused of [
      await service.ask('PUT', '/api/capture/consent', { body: consent, headers: device.headers }),
      await service.get(`/api/capture/consent?deviceId=${device.id}`, device.headers),
      await post('/api/capture/resume', {}),
      await post('/api/capture/forget', { minutes: 5 }),
    ]) {
      assert.equal(refused.status, 403, refused.text);
      assert.equal(refused.body.errorCode, 'DEVICE_SCOPE');
    }
    assert.equal((await start('active-participant')).status, 400);
  });

  for (const level of ['passive', 'active'])
    test(`starts by itself only what the user takes part in, at \`${level}\``, async () => {
      await user.consent(device.id, level);
      for (const mode of ['passive-observation', 'ambient']) {
        const refused = await start(mode);
        assert.equal(refused.status, 403);
        assert.equal(refused.body.errorCode, 'DEVICE_SCOPE');
      }
      const started = await start('active-participant');
      assert.equal(started.status, 201, started.text);
      assert.equal((await post('/api/capture/stop', { streamId: started.body.streamId })).status, 200);
    });

  test('has its own streams alone', async () => {
    await user.consent(device.id, 'full');
    const hall = await user.start('hall', 'full');
    assert.equal((await start('ambient', 'hall')).status, 403);
    const own = String((await start('ambient')).body.streamId);
    const facts = { modality: 'audio', startedAt: 1, durationMs: 1, text: 'heard' };
    assert.equal((await post(`/api/capture/streams/${hall}/segments`, facts)).status, 403);
    assert.equal((await post(`/api/capture/streams/${own}/segments`, facts)).status, 202);
    assert.equal((await post('/api/capture/stop', { streamId: hall })).status, 404);
    const { body } = await service.get('/api/capture/streams', device.headers);
    assert.ok((body.streams as { deviceId: string }[]).every(({ deviceId }) => deviceId === device.id));
  });

  test('pauses, and makes no pause shorter', async () => {
    const before = await user.post('/api/capture/pause', { minutes: 60 });
    const shorter = await post('/api/capture/pause', { minutes: 1 });
    assert.equal(shorter.status, 200);
    assert.equal(shorter.body.pausedUntil, before.body.pausedUntil);
    const longer = await post('/api/capture/pause', { minutes: 90 });
    assert.ok(Number(longer.body.pausedUntil) > Number(before.body.pausedUntil));
    await user.post('/api/capture/resume', {});
  });

  test('captures nothing more when it is revoked', async () => {
    await user.consent(device.id, 'full');
    const streamId = String((await start('active-participant')).body.streamId);
    const stopped = await user.topic('capture.stream.stopped');
    await user.put(`/api/devices/${device.id}`, { status: 'revoked' });
    assert.equal((await stopped()).because, 'device-gone');
    const { body } = await user.get('/api/capture/streams');
    const own = (body.streams as { streamId: string; state: string }[]).find(
      (one) => one.streamId === streamId,
    );
    assert.equal(own?.state, 'stopped');
  });
});
