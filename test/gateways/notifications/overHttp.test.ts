import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, it, vi } from 'vitest';
import { sendToNtfy, sendToTelegram } from '../../../src/gateways/notifications/overHttp.ts';
import { endless, json, Messengers } from '../../support/messengers.ts';

let server: Messengers;
beforeAll(async () => {
  server = await Messengers.start();
});
afterEach(() => server.usually());
afterAll(() => server.stop());

const { signal } = new AbortController();
const message = { id: 'n1', title: 'Mum', text: 'Call mum', at: 1_700_000_000_000 };
const sending = { message, secret: null, allowPrivate: true, version: '1', signal };
const ntfy = (rest: object = {}) => sendToNtfy({ url: server.url, topic: 'tea' }, { ...sending, ...rest });
const telegram = (rest: object = {}) =>
  sendToTelegram({ chatId: '42', apiUrl: server.url }, { ...sending, secret: '1:abc', ...rest });

describe('a message', () => {
  it('is published at ntfy, with the token where there is one', async () => {
    assert.equal(await ntfy(), 'delivered');
    assert.equal(await ntfy({ secret: 'tk_1' }), 'delivered');
    const [open, locked] = server.asked.items.slice(-2);
    assert.deepEqual(open, {
      path: '/',
      authorization: undefined,
      body: { topic: 'tea', title: 'Mum', message: 'Call mum' },
    });
    assert.equal(locked?.authorization, 'Bearer tk_1');
  });

  it('is sent by a bot of Telegram', async () => {
    assert.equal(await telegram(), 'delivered');
    const asked = server.asked.items.at(-1);
    assert.deepEqual(
      [asked?.path, asked?.body],
      ['/bot1:abc/sendMessage', { chat_id: '42', text: 'Mum\n\nCall mum' }],
    );
  });

  it('is cut to what the service takes, and no character in two', async () => {
    const long = { message: { ...message, text: '日本茶☕'.repeat(2_000) } };
    await ntfy(long);
    await telegram(long);
    for (const { body } of server.asked.items.slice(-2)) {
      const said = String(body.message ?? body.text);
      assert.ok(Buffer.byteLength(said) <= 4_000);
      assert.match(said, /[日本茶☕]…$/u);
      assert.doesNotMatch(said, /\uFFFD/);
    }
  });
});

describe('a server that', () => {
  const failed = (reason: string, isFinal: boolean, rest: object = {}) => ({
    failed: reason,
    isFinal,
    ...rest,
  });
  const lie = { code: 40301, http: 403, error: 'forbidden' };
  for (const [what, answer, atNtfy, atTelegram] of [
    ['is broken', json(503, {}), failed('HTTP_503', false), failed('HTTP_503', false)],
    ['refuses', json(403, lie), failed('HTTP_403', true), failed('HTTP_403', true)],
    [
      'has had too much',
      json(429, {}, { 'retry-after': '120' }),
      failed('HTTP_429', false, { retryAfterMs: 120_000 }),
      failed('HTTP_429', false, { retryAfterMs: 120_000 }),
    ],
    [
      'says in words of its own that it has had too much',
      json(429, { ok: false, error_code: 429, parameters: { retry_after: 9 } }),
      failed('HTTP_429', false),
      failed('HTTP_429', false, { retryAfterMs: 9_000 }),
    ],
    [
      'says 200 and means no',
      json(200, { ...lie, ok: false, error_code: 400, description: 'chat not found' }),
      failed('HTTP_403', true),
      failed('HTTP_400', true),
    ],
    [
      'says 200 and that it has had too much',
      json(200, { http: 429, ok: false, error_code: 429, parameters: { retry_after: 7 } }),
      failed('HTTP_429', false),
      failed('HTTP_429', false, { retryAfterMs: 7_000 }),
    ],
    [
      'says 200 and something else',
      json(200, ['hello']),
      failed('ANSWER_NOT_UNDERSTOOD', false),
      failed('ANSWER_NOT_UNDERSTOOD', false),
    ],
    [
      'leads elsewhere',
      json(302, {}, { location: 'http://169.254.169.254/' }),
      failed('HTTP_302', true),
      failed('HTTP_302', true),
    ],
  ] as const)
    it(what, async () => {
      server.usually(answer);
      assert.deepEqual([await ntfy(), await telegram()], [atNtfy, atTelegram]);
    });

  it('never ends is given up', async (t) => {
    t.onTestFinished(() => void vi.restoreAllMocks());
    const late = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(late.signal);
    server.usually(endless(200));
    const before = server.asked.items.length;
    const sent = ntfy();
    await server.asked.count(before + 1);
    late.abort();
    assert.deepEqual(await sent, failed('TIMEOUT', false));
  });

  it('says more than a message is worth is not read to the end', async () => {
    server.usually((response) => {
      response.writeHead(200);
      const write = () => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', write);
      };
      write();
    });
    assert.deepEqual(await ntfy(), failed('ANSWER_NOT_UNDERSTOOD', false));
  });

  it('lies inward is not asked, where that is not allowed', async () => {
    const before = server.asked.items.length;
    for (const allowed of [await ntfy({ allowPrivate: false }), await telegram({ allowPrivate: false })])
      assert.deepEqual(allowed, failed('TARGET_FORBIDDEN', true));
    const metadata = { url: 'http://169.254.169.254/', topic: 'tea' };
    assert.deepEqual(await sendToNtfy(metadata, sending), failed('TARGET_FORBIDDEN', true));
    assert.equal(server.asked.items.length, before);
  });
});
