import assert from 'node:assert/strict';
import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'vitest';
import type { DeviceView } from '../../src/interfaces/operations/deviceShapes.ts';
import { InProcessService, TEST_NOW } from '../support/service.ts';

interface Answered {
  readonly device: DeviceView;
  readonly secret: string | null;
  readonly serviceKey?: string;
  readonly serviceNonce?: string;
  readonly serviceProof?: string;
  readonly trustLevel: number;
  readonly token?: string;
  readonly expiresAt?: number;
}
interface Code {
  readonly code: string;
  readonly url: string;
  readonly qr: string;
  readonly expiresAt: number;
}

const MINUTE_MS = 60_000;
const KEY = 'the-api-key';
const asOperator = { authorization: `Bearer ${KEY}` };
const raw = (text = '') => Buffer.from(text, 'base64url');

/** A key, as a device makes it. */
function makeKey(): { publicKey: string; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { publicKey: publicKey.export({ format: 'jwk' }).x ?? '', privateKey };
}

function signedBy(privateKey: KeyObject, id: string, challenge: string): string {
  return sign(null, Buffer.from(`hark-device:v1:${id}:${challenge}`), privateKey).toString('base64url');
}

describe('with an API key configured', () => {
  let service: InProcessService;
  beforeEach(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '100000', SERVICE_API_KEY: KEY });
  });
  afterEach(() => service.stop());

  const advance = (advanceMs: number) =>
    service.ask('POST', '/api/test/clock', { headers: asOperator, body: { advanceMs } });
  const post = <Body = Answered>(path: string, body: object = {}, headers: Record<string, string> = {}) =>
    service.ask<Body>('POST', `/api/devices/${path}`, { body, headers });
  const pair = async (body: object = {}, headers = {}) =>
    (await post<Code>('pairing-codes', body, { ...asOperator, ...headers })).body;
  const register = (body: object = {}, headers = {}) =>
    post('register', { type: 'esp32', capabilities: { audio: true, microphone: true }, ...body }, headers);
  const show = (id: string, headers = {}) =>
    service.get<Answered>(`/api/devices/${id}`, { ...asOperator, ...headers });
  const change = (id: string, body: object) => service.put(`/api/devices/${id}`, body, asOperator);
  const authenticate = (id: string, body: object) => post(`${id}/authenticate`, body);
  const challenge = async (id: string) =>
    (await post<{ challenge: string; expiresAt: number }>(`${id}/challenge`)).body;
  /** One that is paired by its key. */
  const addKeyed = async (body: object = {}) => {
    const key = makeKey();
    const { code } = await pair();
    const { device } = (await register({ publicKey: key.publicKey, pairingCode: code, ...body })).body;
    return { ...key, id: device.id };
  };
  const prove = async ({ id, privateKey }: { id: string; privateKey: KeyObject }) =>
    (await authenticate(id, { signature: signedBy(privateKey, id, (await challenge(id)).challenge) })).body;

  test('who has a pairing code is in at once, with what the code names and no more', async () => {
    const asAnn = { 'X-User-Id': 'ann' };
    const made = await pair({ type: 'esp32', capabilities: { microphone: true, speaker: true } }, asAnn);
    assert.equal(raw(made.code).length, 16);
    assert.equal(made.expiresAt, TEST_NOW + 10 * MINUTE_MS);
    const url = new URL(made.url);
    const said = new URLSearchParams(url.hash.slice(1));
    assert.deepEqual([url.origin, said.get('pair')], [service.url, made.code]);
    assert.equal(raw(said.get('key') ?? '').length, 32);
    assert.match(made.qr, /^<svg .*<\/svg>$/s);
    const { status, body } = await register({ pairingCode: made.code, name: 'Kitchen' });
    assert.equal(status, 201);
    const { device } = body;
    assert.deepEqual(
      [device.status, device.userId, device.keyed, device.trustLevel, device.name],
      ['active', 'ann', false, 1, 'Kitchen'],
    );
    const { microphone, speaker, audio } = device.capabilities;
    assert.deepEqual([microphone, speaker, audio], [true, false, false]);
    assert.equal((await show(device.id, asAnn)).status, 200);
    assert.equal((await show(device.id)).status, 404);
    const { text } = await service.get('/api/events?limit=1000', { ...asOperator, ...asAnn });
    assert.match(text, /device\.invited/);
    for (const secret of [made.code, body.secret ?? '']) assert.ok(!(text + service.logged).includes(secret));
  });

  test('without one, or the API key, nobody registers', async () => {
    assert.equal((await register()).status, 401);
    assert.equal((await register({}, asOperator)).body.device.status, 'pending');
    const named = await register({}, { 'X-User-Id': 'ann' });
    assert.equal(named.status, 401);
    for (const path of ['pairing-codes', 'x/link', 'x/rotate']) assert.equal((await post(path)).status, 401);
  });

  test('a pairing code counts once, in its time and for its type', async () => {
    const refusal = (answer: { status: number; body: object }) =>
      assert.deepEqual([answer.status, Reflect.get(answer.body, 'errorCode')], [403, 'PAIRING_CODE_INVALID']);
    const used = (await pair()).code;
    const first = makeKey();
    assert.equal((await register({ pairingCode: used, publicKey: first.publicKey })).status, 201);
    refusal(await register({ pairingCode: used, publicKey: first.publicKey }));
    refusal(await register({ pairingCode: used, publicKey: makeKey().publicKey }));
    refusal(await register({ pairingCode: used }));
    const forBrowsers = (await pair({ type: 'browser' })).code;
    refusal(await register({ pairingCode: forBrowsers }));
    assert.equal((await register({ pairingCode: forBrowsers, type: 'browser' })).status, 201);
    const old = (await pair()).code;
    await advance(10 * MINUTE_MS);
    refusal(await register({ pairingCode: old }));
    refusal(await register({ pairingCode: randomBytes(16).toString('base64url') }));
    refusal(await register({ pairingCode: 'x' }));
    // Also where the API key comes along: a wrong code is no code.
    refusal(await register({ pairingCode: 'x' }, asOperator));
  });

  test('of many that come with one code, one is in', async () => {
    const { code } = await pair();
    const answers = await Promise.all(Array.from({ length: 8 }, () => register({ pairingCode: code })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(403)]);
    const { body } = await service.get<{ count: number }>('/api/devices', asOperator);
    assert.equal(body.count, 1);
  });

  test('both sides come to the same letters', async () => {
    const { publicKey } = makeKey();
    const nonce = randomBytes(16).toString('base64url');
    const { body } = await register({ publicKey, nonce }, asOperator);
    const { device, secret, serviceKey, serviceNonce, serviceProof } = body;
    assert.equal(secret, null);
    const digest = hash(
      'sha256',
      Buffer.concat([publicKey, serviceKey, nonce, serviceNonce].map(raw)),
      'buffer',
    );
    const letters = Array.from(digest.subarray(0, 12), (byte) => 'BCDFGHJKLMNPQRSTVWXZ'[byte % 20]).join('');
    const shown = (await show(device.id)).body.device;
    assert.deepEqual([shown.sas, shown.status, shown.keyed], [letters, 'pending', true]);
    const key = { kty: 'OKP', crv: 'Ed25519', x: serviceKey ?? '' };
    const text = `hark-service:v1:${publicKey}:${nonce}:${serviceNonce}`;
    assert.ok(verify(null, Buffer.from(text), { key, format: 'jwk' }, raw(serviceProof)));
    const other = await register({ publicKey, nonce }, asOperator);
    assert.equal(other.body.serviceKey, serviceKey);
    assert.notEqual((await show(other.body.device.id)).body.device.sas, letters);
    assert.ok((await pair()).url.endsWith(`&key=${serviceKey}`));
  });

  test('a key that anybody could sign for is none', async () => {
    const identity = Buffer.alloc(32);
    identity[0] = 1;
    for (const publicKey of [
      identity.toString('base64url'),
      Buffer.alloc(32).toString('base64url'),
      'short',
      `${makeKey().publicKey}=`,
      randomBytes(33).toString('base64url'),
    ])
      assert.equal((await register({ publicKey }, asOperator)).status, 400, publicKey);
  });

  test('a device shows its secret, and learns whether it is approved', async () => {
    const { device, secret } = (await register({}, asOperator)).body;
    const waiting = await authenticate(device.id, { secret });
    assert.deepEqual(
      [
        waiting.status,
        waiting.body.trustLevel,
        waiting.body.device.status,
        waiting.body.device.authentications,
      ],
      [200, 2, 'pending', 1],
    );
    await change(device.id, { status: 'active' });
    assert.equal((await authenticate(device.id, { secret })).body.device.status, 'active');
    for (const status of ['suspended', 'revoked']) {
      await change(device.id, { status });
      assert.equal((await authenticate(device.id, { secret })).status, 401);
    }
  });

  test('no other secret opens it, nor a device that is not there', async () => {
    const one = (await register({}, asOperator)).body;
    const other = (await register({}, asOperator)).body;
    const keyed = await addKeyed();
    const refused = [
      await authenticate(one.device.id, { secret: other.secret }),
      await authenticate('nobody', { secret: one.secret }),
      await authenticate(one.device.id, { secret: hash('sha256', one.secret ?? '') }),
      await authenticate(one.device.id, { signature: 'A'.repeat(86) }),
      await authenticate(keyed.id, { secret: one.secret }),
    ];
    assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([401]));
    assert.equal(new Set(refused.map(({ text }) => text)).size, 1);
    await service.ask('DELETE', `/api/devices/${one.device.id}`, { headers: asOperator });
    assert.equal((await authenticate(one.device.id, { secret: one.secret })).text, refused[0]?.text);
    for (const body of [{}, { secret: other.secret, signature: 'x' }, { secret: 1 }, { secret: '' }])
      assert.equal((await authenticate(other.device.id, body)).status, 400);
    const counted = (await show(other.device.id)).body.device;
    assert.equal(counted.authentications, 0);
  });

  test('a key signs a challenge once, in its time, and for its own device', async () => {
    const device = await addKeyed();
    const { id, privateKey } = device;
    const first = await challenge(id);
    assert.equal(first.expiresAt, TEST_NOW + MINUTE_MS);
    const signature = signedBy(privateKey, id, first.challenge);
    const refused = async (body: object, of = id) => assert.equal((await authenticate(of, body)).status, 401);
    await refused({ signature: signedBy(makeKey().privateKey, id, first.challenge) });
    await refused({ signature: signedBy(privateKey, 'other', first.challenge) });
    const other = await addKeyed();
    await challenge(other.id);
    await refused({ signature }, other.id);
    const { body } = await authenticate(id, { signature });
    assert.deepEqual([body.trustLevel, body.expiresAt], [2, TEST_NOW + 60 * MINUTE_MS]);
    await refused({ signature });
    const late = await challenge(id);
    await advance(MINUTE_MS);
    await refused({ signature: signedBy(privateKey, id, late.challenge) });
    assert.equal((await show(id)).body.device.authentications, 1);
  });

  test('a challenge that is signed twice at once counts once', async () => {
    const { id, privateKey } = await addKeyed();
    const signature = signedBy(privateKey, id, (await challenge(id)).challenge);
    const answers = await Promise.all([1, 2, 3].map(() => authenticate(id, { signature })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
  });

  test('challenges that others ask for do not hold up who is right', async () => {
    const { id, privateKey } = await addKeyed();
    const own = await challenge(id);
    await Promise.all(Array.from({ length: 15 }, () => challenge(id)));
    assert.equal(
      (await authenticate(id, { signature: signedBy(privateKey, id, own.challenge) })).status,
      200,
    );
  });

  test('a token counts for an hour, and not once its device was kept out', async () => {
    const device = await addKeyed();
    const { token = '' } = await prove(device);
    const isRight = async (secret: string) => (await authenticate(device.id, { secret })).status === 200;
    assert.ok(await isRight(token));
    await advance(60 * MINUTE_MS);
    assert.ok(!(await isRight(token)));
    const { token: next = '' } = await prove(device);
    assert.ok(await isRight(next));
    await change(device.id, { status: 'suspended' });
    assert.equal((await post(`${device.id}/challenge`)).status, 401);
    await change(device.id, { status: 'active' });
    assert.ok(!(await isRight(next)));
    assert.ok(await isRight((await prove(device)).token ?? ''));
  });

  test('a secret is changed for another, a key is not', async () => {
    const { device, secret } = (await register({}, asOperator)).body;
    const rotate = (id: string) => post<{ secret: string }>(`${id}/rotate`, {}, asOperator);
    const rotated = await rotate(device.id);
    assert.equal(rotated.status, 200);
    assert.equal((await authenticate(device.id, { secret })).status, 401);
    assert.equal((await authenticate(device.id, { secret: rotated.body.secret })).status, 200);
    const keyed = await addKeyed();
    assert.equal((await rotate(keyed.id)).status, 409);
    assert.equal((await post(`${device.id}/challenge`)).status, 409);
    assert.equal((await post('nobody/challenge')).status, 404);
    assert.equal((await rotate('nobody')).status, 404);
  });

  test('trust grows with ten proofs over seven days, and ends when the device is revoked', async () => {
    const { device, secret } = (await register({}, asOperator)).body;
    await change(device.id, { status: 'active' });
    assert.equal((await show(device.id)).body.device.trustLevel, 1);
    for (let times = 1; times <= 9; times++)
      assert.equal((await authenticate(device.id, { secret })).body.trustLevel, 2);
    await advance(7 * 24 * 60 * MINUTE_MS - 1);
    assert.equal((await authenticate(device.id, { secret })).body.trustLevel, 2);
    await advance(1);
    const { trustLevel, device: trusted } = (await authenticate(device.id, { secret })).body;
    assert.deepEqual([trustLevel, trusted.authentications], [3, 11]);
    await change(device.id, { status: 'revoked' });
    assert.equal((await show(device.id)).body.device.trustLevel, 1);
    await change(device.id, { status: 'active' });
    assert.equal((await authenticate(device.id, { secret })).body.trustLevel, 2);
  });

  test('devices are shown as they were', async () => {
    const { device } = (await register({ name: 'First' }, asOperator)).body;
    await change(device.id, { status: 'active' });
    await advance(1_000);
    await change(device.id, { name: 'Second', status: 'suspended' });
    await advance(1_000);
    await service.ask('DELETE', `/api/devices/${device.id}`, { headers: asOperator });
    const past = async (after: number) => {
      const at = TEST_NOW + after;
      const { body } = await service.get<{ devices: DeviceView[] }>(`/api/devices?at=${at}`, asOperator);
      const one = await service.get<Answered>(`/api/devices/${device.id}?at=${at}`, asOperator);
      assert.deepEqual(body.devices, one.status === 404 ? [] : [one.body.device]);
      return body.devices.map(({ status }) => status);
    };
    assert.deepEqual(await past(-1), []);
    assert.deepEqual(await past(0), ['active']);
    assert.deepEqual(await past(1_000), ['suspended']);
    assert.deepEqual(await past(2_000), []);
    assert.equal((await service.get('/api/devices?at=then', asOperator)).status, 400);
  });
});
