import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { describe, it, vi } from 'vitest';
import { isPublic } from '../../../src/gateways/network/addresses.ts';
import { post } from '../../../src/gateways/network/post.ts';
import { Receiver } from '../../support/receiver.ts';
import { Witness } from '../../support/sagas.ts';

const { signal } = new AbortController();
const what = { headers: {}, body: '{}', signal };

/** A resolver that knows every name by these addresses. */
function resolving(...addresses: readonly { readonly address: string; readonly family: number }[]) {
  return (_host: string, _options: object, callback: (error: null, all: typeof addresses) => void) =>
    process.nextTick(callback, null, addresses);
}

describe('a name that resolves to', () => {
  for (const [description, addresses] of [
    ['this machine', [{ address: '127.0.0.1', family: 4 }]],
    ['a private network', [{ address: '192.168.1.1', family: 4 }]],
    ['this machine, in the other way', [{ address: '::1', family: 6 }]],
    ['a private address dressed up', [{ address: '::ffff:a00:1', family: 6 }]],
    [
      'a public address and another one',
      [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    ],
    ['nothing', []],
  ] as const)
    it(`${description} is not connected to`, async () => {
      const sent = await post({
        ...what,
        url: 'https://hooks.example.com/',
        allowPrivate: false,
        resolve: resolving(...addresses),
      });
      assert.deepEqual(sent, { failed: 'TARGET_FORBIDDEN' });
    });

  it('what is off limits is not connected to, also where private addresses may be', async () => {
    const refused = { failed: 'TARGET_FORBIDDEN' };
    for (const url of ['http://169.254.169.254/', 'http://[fe80::1]/', 'http://[::ffff:a9fe:a9fe]/'])
      assert.deepEqual(await post({ ...what, url, allowPrivate: true }), refused, url);
    const resolve = resolving({ address: '169.254.169.254', family: 4 });
    const url = 'http://hooks.example.com/';
    assert.deepEqual(await post({ ...what, url, allowPrivate: true, resolve }), refused);
  });

  it('nothing that is a private address itself is not connected to', async () => {
    const receiver = await Receiver.start();
    for (const url of [receiver.url, receiver.url.replace('http:', 'https:')])
      assert.deepEqual(await post({ ...what, url, allowPrivate: false }), { failed: 'TARGET_FORBIDDEN' });
    await receiver.stop();
  });

  it('this machine is, where that is allowed', async () => {
    const receiver = await Receiver.start();
    const url = receiver.url.replace('127.0.0.1', 'hooks.example.com');
    const resolve = resolving({ address: '127.0.0.1', family: 4 });
    const sent = await post({ ...what, url, allowPrivate: true, resolve });
    assert.deepEqual(sent, { status: 204, retryAfter: undefined, body: '' });
    await receiver.stop();
  });
});

describe('a receiver that answers', () => {
  for (const [what, answer, sent] of [
    [
      'that it wants to speak otherwise has answered',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
      { status: 101, retryAfter: undefined, body: '' },
    ],
    ['what is no answer cannot be reached', '\0\r\n\r\n', { failed: 'UNREACHABLE' }],
    ['nothing cannot be reached', '', { failed: 'UNREACHABLE' }],
  ] as const)
    it(what, async () => {
      const server = createServer((socket) =>
        socket.on('error', () => {}).once('data', () => socket.end(answer)),
      );
      const url = await urlOf(server);
      assert.deepEqual(await post({ headers: {}, body: '{}', signal, url, allowPrivate: true }), sent);
      await once(server.close(), 'close');
    });
});

describe('a message', () => {
  it('arrives whole, whatever it is written in', async () => {
    const receiver = await Receiver.start();
    const body = '{"tea":"日本茶 ☕"}';
    await post({ ...what, body, url: receiver.url, allowPrivate: true });
    assert.deepEqual(
      receiver.received.items.map((each) => each.body),
      [body],
    );
    await receiver.stop();
  });

  it('that nobody answers ends when nobody waits for it any more', async () => {
    const asked = new Witness<Socket>();
    const server = createServer((socket) => asked.add(socket.on('error', () => {})));
    const end = new AbortController();
    const sent = post({ ...what, url: await urlOf(server), allowPrivate: true, signal: end.signal });
    const [socket] = await asked.count(1);
    assert.ok(socket);
    end.abort();
    assert.deepEqual(await sent, { failed: 'UNREACHABLE' });
    socket.destroy();
    await once(server.close(), 'close');
  });

  it('that nobody answers is given up after 15 s', async (t) => {
    t.onTestFinished(() => void vi.restoreAllMocks());
    const late = new AbortController();
    const limits: number[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms: number) => {
      limits.push(ms);
      return late.signal;
    });
    const asked = new Witness<Socket>();
    const server = createServer((socket) => asked.add(socket.on('error', () => {})));
    const sent = post({ ...what, url: await urlOf(server), allowPrivate: true });
    const [socket] = await asked.count(1);
    late.abort();
    assert.deepEqual([await sent, limits], [{ failed: 'TIMEOUT' }, [15_000]]);
    socket?.destroy();
    await once(server.close(), 'close');
  });

  it('has been answered when the answer begins, however long that goes on', async () => {
    const closed = new Witness<string>();
    const server = createServer((socket) => {
      socket.on('error', () => {}).once('close', () => closed.add('closed'));
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\nso'));
    });
    const sent = await post({ ...what, url: await urlOf(server), allowPrivate: true });
    assert.deepEqual(sent, { status: 200, retryAfter: undefined, body: '' });
    await closed.count(1);
    await once(server.close(), 'close');
  });
});

async function urlOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${Object(server.address()).port}/`;
}

describe('an address', () => {
  for (const address of [
    '0.0.0.0',
    '10.255.255.255',
    '100.64.0.1',
    '127.8.9.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.175.48.1',
    '198.19.0.1',
    '198.51.100.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:c0a8:101',
    '::127.0.0.1',
    '64:ff9b::a00:1',
    '100::1',
    '2001::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fe80::1%eth0',
    'ff02::1',
    'example.com',
    '',
  ])
    it(`${address || 'that is none'} is not public`, () => assert.equal(isPublic(address), false));

  for (const address of [
    '1.1.1.1',
    '93.184.216.34',
    '100.128.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '2001:200::1',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
    '2002:101:101::',
    '3fff:1000::1',
  ])
    it(`${address} is public`, () => assert.equal(isPublic(address), true));
});
