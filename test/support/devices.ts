import assert from 'node:assert/strict';
import type { InProcessService } from './service.ts';

/** A device in use, and what it shows with each request. */
export interface ProvenDevice {
  readonly id: string;
  readonly secret: string;
  readonly headers: { readonly 'x-device-id': string; readonly 'x-device-secret': string };
}

interface Wanted {
  readonly capabilities?: Readonly<Record<string, boolean>>;
  readonly status?: string;
  readonly userId?: string;
  /** Of who adds it: the key, where there is one. */
  readonly by?: Record<string, string>;
}

export async function addDevice(service: InProcessService, wanted: Wanted = {}): Promise<ProvenDevice> {
  const { capabilities = {}, status = 'active', userId, by = {} } = wanted;
  const body = { type: 'custom', capabilities };
  const registered = await service.ask<{ device: { id: string }; secret: string }>(
    'POST',
    '/api/devices/register',
    { body, headers: by },
  );
  assert.equal(registered.status, 201, registered.text);
  const { device, secret } = registered.body;
  const { id } = device;
  if (status !== 'pending') await changeDevice(service, id, { status: 'active' }, by);
  if (userId !== undefined) {
    const linked = await service.ask('POST', `/api/devices/${id}/link`, { body: { userId }, headers: by });
    assert.equal(linked.status, 200, linked.text);
  }
  if (status !== 'pending' && status !== 'active') await changeDevice(service, id, { status }, by);
  return { id, secret, headers: { 'x-device-id': id, 'x-device-secret': secret } };
}

export async function changeDevice(
  service: InProcessService,
  id: string,
  body: object,
  by: Record<string, string> = {},
): Promise<void> {
  const { status, text } = await service.put(`/api/devices/${id}`, body, by);
  assert.equal(status, 200, text);
}

const DAY_MS = 86_400_000;

/** To trust level 3: it comes ten times, over seven days. */
export async function establish(
  service: InProcessService,
  { id, headers }: ProvenDevice,
  by: Record<string, string> = {},
): Promise<void> {
  const come = async () => assert.equal((await service.get(`/api/devices/${id}`, headers)).status, 200);
  await come();
  await service.ask('POST', '/api/test/clock', { body: { advanceMs: 7 * DAY_MS }, headers: by });
  for (let times = 1; times < 10; times++) await come();
}
