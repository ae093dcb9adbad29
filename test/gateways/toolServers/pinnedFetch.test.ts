import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { isOffLimits } from '../../../src/gateways/network/addresses.ts';
import type { Resolve } from '../../../src/gateways/network/lookup.ts';
import { pinnedFetch } from '../../../src/gateways/toolServers/pinnedFetch.ts';

/** A resolver that says something else each time it is asked. */
function resolving(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const resolve: Resolve = (host, _options, callback) => {
    const addresses = answers[Math.min(asked.push(host), answers.length) - 1] ?? [];
    const told = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    process.nextTick(callback, null, told);
  };
  return { resolve, asked };
}

const METADATA = '169.254.169.254';
const refused = { name: 'AddressRefused', code: 'ADDRESS_REFUSED' };

describe('a tool server', () => {
  const server = createServer((request, response) => {
    if (request.url === '/redirect') response.writeHead(307, { location: '/' }).end();
    else if (request.url === '/nothing') response.writeHead(204).end();
    else if (request.url === '/unknown') response.writeHead(700).end();
    else if (request.url === '/upgrade')
      response.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end();
    else response.end(`${request.method} ${request.headers.host}`);
  });
  let port = 0;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = Number(Object(server.address()).port);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('may lie on this machine, by address and by name', async () => {
    const { resolve, asked } = resolving(['127.0.0.1']);
    const ask = pinnedFetch(resolve);
    assert.equal(await (await ask(`http://127.0.0.1:${port}/`)).text(), `GET 127.0.0.1:${port}`);
    const post = { method: 'POST', body: '{}' };
    assert.equal(await (await ask(`http://tools.home:${port}/`, post)).text(), `POST tools.home:${port}`);
    assert.deepEqual(asked, ['tools.home']);
    assert.equal((await ask(`http://127.0.0.1:${port}/nothing`)).status, 204);
  });

  for (const addresses of [
    [METADATA],
    ['127.0.0.1', METADATA],
    ['fe80::1%eth0'],
    ['::ffff:a9fe:a9fe'],
    ['64:ff9b::a9fe:a9fe'],
    ['fd00:ec2::254'],
    [],
  ])
    it(`is not asked where its name resolves to ${addresses.join(' and ') || 'nothing'}`, async () => {
      const ask = pinnedFetch(resolving(addresses).resolve);
      await assert.rejects(ask(`http://tools.example:${port}/`), refused);
    });

  it('is connected to where its name resolved to when that was looked at, and nowhere else', async () => {
    const { resolve, asked } = resolving(['127.0.0.1'], [METADATA]);
    const ask = pinnedFetch(resolve);
    const url = `http://rebound.example:${port}/`;
    assert.equal((await ask(url, { headers: { connection: 'close' } })).status, 200);
    assert.deepEqual(asked, ['rebound.example']);
    await assert.rejects(ask(url), refused);
  });

  it('leads nobody elsewhere', async () => {
    await assert.rejects(pinnedFetch()(`http://127.0.0.1:${port}/redirect`), /redirect is not followed/);
  });

  it('that answers what is no answer is not waited for', async () => {
    for (const path of ['/unknown', '/upgrade'])
      await assert.rejects(pinnedFetch()(`http://127.0.0.1:${port}${path}`), TypeError, path);
  });

  it('is let go of when it is called off', async () => {
    const calledOff = AbortSignal.abort();
    await assert.rejects(pinnedFetch()(`http://127.0.0.1:${port}/`, { signal: calledOff }), {
      name: 'AbortError',
    });
  });
});

it('what is off limits is so in whichever way it is written', () => {
  const off = [METADATA, '169.254.0.1', 'fe80::1', 'febf::1', '::ffff:169.254.169.254', '2002:a9fe:a9fe::1'];
  for (const address of [...off, '64:ff9b:1::a9fe:a9fe', '::a9fe:a9fe', '100.100.100.200', '168.63.129.16'])
    assert.equal(isOffLimits(address), true, address);
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '::1',
    'fd12::1',
    '100.100.100.1',
    '8.8.8.8',
  ])
    assert.equal(isOffLimits(address), false, address);
});
