import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, it, type TestContext } from 'vitest';
import { sdkOptions } from '../../../src/gateways/models/options.ts';
import { PreparedCall } from '../../../src/gateways/models/preparedCall.ts';
import { HttpError } from '../../../src/gateways/models/providerError.ts';

async function serve(test: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return `http://127.0.0.1:${address.port}/v1`;
}

interface Asked {
  readonly what: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** What it is asked, of which it thinks nothing. */
async function listening(test: TestContext) {
  const asked: Asked[] = [];
  const url = await serve(test, async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const body: unknown = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
    asked.push({ what: `${method} ${path}`, headers, body });
    response.setHeader('content-type', 'application/json').end('{}');
  });
  return { url, asked };
}

const never = new AbortController().signal;

async function read(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(pieces)).toString();
}

describe('a call that an SDK prepares once', () => {
  it('asks as the SDK for Anthropic does', async (t) => {
    const { url, asked } = await listening(t);
    const client = new Anthropic({ ...sdkOptions, apiKey: 'sk-test', baseURL: url.replace('/v1', '') });
    const body = { model: 'any', max_tokens: 1, stream: true, messages: [] } as const;
    await client.messages.create({ ...body, messages: [] }).asResponse();
    const call = await PreparedCall.of(client, '/v1/messages');
    assert.equal(await read(await call.post(body, never)), '{}');
    assert.deepEqual(asked[1], asked[0]);
  });

  it('asks as the SDK for OpenAI does', async (t) => {
    const { url, asked } = await listening(t);
    const client = new OpenAI({ ...sdkOptions, apiKey: 'sk-test', baseURL: url });
    const chat = { model: 'any', stream: true, messages: [] } as const;
    await client.chat.completions.create({ ...chat, messages: [] }).asResponse();
    await read(await (await PreparedCall.of(client, '/chat/completions')).post(chat, never));
    const answer = { model: 'any', stream: true, input: 'Hello' } as const;
    await client.responses.create(answer).asResponse();
    await read(await (await PreparedCall.of(client, '/responses')).post(answer, never));
    assert.deepEqual([asked[1], asked[3]], [asked[0], asked[2]]);
  });

  it('fails with what the provider says, as JSON or as text, and with its headers', async (t) => {
    const answers = ['{"error":{"type":"overloaded_error"}}', 'no JSON'];
    const url = await serve(t, (request, response) => {
      request
        .resume()
        .once('end', () => response.writeHead(529, { 'retry-after': '7' }).end(answers.shift()));
    });
    const call = await PreparedCall.of(
      new OpenAI({ ...sdkOptions, apiKey: 'sk-test', baseURL: url }),
      '/any',
    );
    const refused = async () => {
      const error: unknown = await call.post({}, never).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof HttpError);
      return [error.status, error.headers?.get('retry-after'), error.error];
    };
    assert.deepEqual(await refused(), [529, '7', { error: { type: 'overloaded_error' } }]);
    assert.deepEqual(await refused(), [529, '7', 'no JSON']);
  });

  it('is called off by its signal', async (t) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const controller = new AbortController();
    const url = await serve(t, (_, response) => {
      response.once('close', resolve);
      controller.abort(new Error('called off'));
    });
    const call = await PreparedCall.of(
      new OpenAI({ ...sdkOptions, apiKey: 'sk-test', baseURL: url }),
      '/any',
    );
    await assert.rejects(call.post({}, controller.signal), { message: 'called off' });
    await closed;
  });
});
