import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'vitest';
import { ask } from '../../../src/gateways/models/ask.ts';
import { piecesOf } from '../../../src/gateways/models/pieces.ts';

async function serve(test: TestContext, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return { server, url: `http://127.0.0.1:${address.port}/` };
}

/** The first request of a server, and what it is answered with. */
async function served(test: TestContext) {
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse<IncomingMessage>>();
  const { url } = await serve(test, (_, response) => resolve(response));
  return { url, asked };
}

describe('asking over HTTP', () => {
  it('sends method, headers and text, and tells status, headers and text of the answer', async (t) => {
    const { url } = await serve(t, async (request, response) => {
      const said = Buffer.concat(await Array.fromAsync(request)).toString();
      response.writeHead(418, { 'x-told': request.headers['x-said'] });
      response.end(`${request.method} ${said} ${request.headers['content-length']}`);
    });
    const answer = await ask(url, { method: 'POST', headers: { 'X-Said': 'so' }, body: 'Möhrle' });
    assert.deepEqual([answer.status, answer.ok, answer.headers.get('x-told')], [418, false, 'so']);
    assert.equal(await answer.text(), 'POST Möhrle 7');
    const nothing = await ask(new URL(url), { headers: new Headers({ 'x-said': 'so' }) });
    assert.equal(await nothing.text(), 'GET  undefined');
  });

  it('reads characters that come in two pieces, as text and as JSON', async (t) => {
    const [first, second] = [Buffer.from('{"a":"Mö').subarray(0, -1), Buffer.from('ö"}').subarray(1)];
    const { url } = await serve(t, (_, response) => {
      response.write(first);
      setImmediate(() => response.end(second));
    });
    assert.equal(await (await ask(url)).text(), '{"a":"Mö"}');
    assert.deepEqual(await (await ask(url)).json(), { a: 'Mö' });
  });

  it('asks again over the same connection, once the answer was read', async (t) => {
    const ports = new Set<number | undefined>();
    const { url } = await serve(t, ({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end('read');
    });
    for (let times = 0; times < 3; times++) await (await ask(url)).text();
    assert.equal(ports.size, 1);
  });

  it('asks nothing that was called off, and closes what is called off while it is asked', async (t) => {
    const { url, asked } = await served(t);
    const reason = new Error('called off');
    await assert.rejects(ask(url, { signal: AbortSignal.abort(reason) }), reason);
    const controller = new AbortController();
    const answer = ask(url, { signal: controller.signal });
    const closed = once(await asked, 'close');
    controller.abort(reason);
    await assert.rejects(answer, reason);
    await closed;
  });

  it('closes what is called off while it is read, and tells the reader', async (t) => {
    const { url, asked } = await served(t);
    const controller = new AbortController();
    const answering = ask(url, { signal: controller.signal });
    const response = await asked;
    response.write('first');
    const pieces = piecesOf(await answering)[Symbol.asyncIterator]();
    assert.equal(String((await pieces.next()).value), 'first');
    const more = pieces.next();
    const closed = once(response, 'close');
    controller.abort();
    await assert.rejects(more);
    await closed;
  });

  it('closes the connection when its reader stops', async (t) => {
    const { url, asked } = await served(t);
    const answering = ask(url);
    const response = await asked;
    response.write('first');
    const closed = once(response, 'close');
    for await (const piece of piecesOf(await answering)) {
      assert.equal(String(piece), 'first');
      break;
    }
    await closed;
  });

  it('takes no more than a slow reader reads', async (t) => {
    const { promise: asked, resolve } = Promise.withResolvers<ServerResponse<IncomingMessage>>();
    const { url } = await serve(t, ({ url: path }, response) => {
      if (path === '/') resolve(response);
      else response.end();
    });
    const answering = ask(url);
    const response = await asked;
    const pieces = 64;
    for (let piece = 0; piece < pieces; piece++) response.write(Buffer.alloc(2 ** 20));
    const answer = await answering;
    // Meanwhile all of it would have come.
    for (let times = 0; times < 200; times++) await (await ask(`${url}other`)).text();
    assert.ok(response.writableLength > (pieces / 2) * 2 ** 20, `${response.writableLength} bytes wait`);
    response.end();
    let bytes = 0;
    for await (const { byteLength } of piecesOf(answer)) bytes += byteLength;
    assert.equal(bytes, pieces * 2 ** 20);
  });

  it('fails when the answer breaks off, after what came of it was read', async (t) => {
    const { url, asked } = await served(t);
    const answering = ask(url);
    const response = await asked;
    response.write('first');
    const answer = await answering;
    response.destroy();
    const read: string[] = [];
    await assert.rejects(
      async () => {
        for await (const piece of piecesOf(answer)) read.push(String(piece));
      },
      { code: 'ECONNRESET' },
    );
    assert.deepEqual(read, ['first']);
  });

  it('says what the system says when nobody is there', async (t) => {
    const { server, url } = await serve(t, () => {});
    server.close();
    await once(server, 'close');
    await assert.rejects(ask(url), (error: Error) => {
      assert.ok(error instanceof TypeError && error.cause instanceof Error);
      return 'code' in error.cause && error.cause.code === 'ECONNREFUSED';
    });
  });
});
