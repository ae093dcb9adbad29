import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'vitest';
import { NOTICE } from '../../src/demo/model/demoModel.ts';
import { bin, hark } from '../interfaces/cli/hark.ts';
import { McpByHand } from '../service/mcpClient.ts';
import { EventReader, ServiceUnderTest } from '../support/service.ts';

test('the demo has a user whose memory can be looked at, and says that no real model answers', async () => {
  const demo = spawn(process.execPath, [bin, 'demo'], {
    // What somebody has set for the real service is left alone.
    env: {
      PATH: process.env.PATH,
      ...{ HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0' },
      ...{ ANTHROPIC_API_KEY: 'a-real-key', SERVICE_KVSTORE_URL: 'redis://127.0.0.1:1' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(demo, 'exit');
  try {
    const { port, log } = await addressesIn(createInterface(demo.stdout));
    const service = new ServiceUnderTest(port);
    const said = /scripted model answers, no real one/;
    for (const path of ['/health', '/api/health', '/api/system/info', '/api/openapi.json', '/docs', '/'])
      assert.match((await service.get(path)).text, said, path);
    const { body: info } = await service.get<{ ports: { mcp: number } }>('/api/system/info');
    const mcp = new McpByHand(`http://127.0.0.1:${info.ports.mcp}/mcp`);
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    assert.match(String((await mcp.ask('initialize', hello)).messages[0]?.result?.instructions), said);
    assert.match(String((await mcp.askModern('server/discover')).messages[0]?.result?.instructions), said);
    assert.match((await hark(['status'], { HARK_URL: service.url })).stdout, said);
    assert.match(readFileSync(log, 'utf8'), /"msg":"ready"/);
    const route = async (text: string) =>
      (await service.ask('POST', '/api/slots/route', { body: { text } })).body.slot;
    assert.equal(await route('Turn off the kitchen lights'), 'tool_calling');
    assert.equal(await route('Fix the bug in this python function'), 'coding');

    const { body: health } = await service.get('/health/provider-cloud-a');
    assert.equal(health.note, 'Not configured');
    const { body } = await service.get<{ episodes: { summary: string }[] }>('/api/memory/episodes');
    assert.ok(body.episodes.length >= 3);
    for (const { summary } of body.episodes) assert.doesNotMatch(summary, /scripted/);
    const named = await EventReader.open(`${service.url}/api/events/stream?topics=entities.*&after=0`);
    for (let seen = 0; seen < 3; ) if ((await named.next())?.event) seen++;
    named.close();
    const { body: entities } = await service.get<{ count: number }>('/api/entities');
    assert.ok(entities.count >= 3);
    const asked = { question: 'What is the name of my sister?' };
    const { body: known } = await service.ask('POST', '/api/memory/ask', { body: asked });
    assert.match(String(known.answer), /Mia/);
    assert.ok(String(known.answer).endsWith(NOTICE));
    assert.notDeepEqual(known.sources, []);
    const { body: talked } = await service.get<{ messages: { content: string }[] }>(
      '/api/chat/history/first-questions',
    );
    assert.match(String(talked.messages[1]?.content), /^Your name is Robin\./);
    assert.match(String(talked.messages[3]?.content), /^It is /);
    const chat = { body: { text: 'What is my name?', sessionId: 'first' } };
    const { body: reply } = await service.ask('POST', '/api/chat', chat);
    assert.match(String(reply.text), /^Your name is Robin\./);

    const { body: night } = await service.get<{ reports: { summary: object }[] }>(
      '/api/memory/maintain/history',
    );
    assert.partialDeepStrictEqual(night.reports[0]?.summary, { redundant: 1, pruned: 1, decayed: 2 });
    const { body: doubts } = await service.get<{ count: number }>('/api/memory/contradictions');
    assert.ok(doubts.count > 0);
    const { body: planned } = await service.get<{ count: number }>('/api/scheduler/tasks');
    assert.equal(planned.count, 3);

    const typed = 'Remember that I collect stamps.\nForget that I love coffee.\n';
    assert.equal((await hark(['chat'], { HARK_URL: service.url }, typed)).code, 0);
    const { text: believed } = await service.get('/api/memory/conclusions');
    assert.match(believed, /stamps/);
    assert.doesNotMatch(believed, /likes coffee/);
  } finally {
    demo.kill('SIGINT');
  }
  assert.deepEqual(await exited, [0, null]);
});

/** All that it prints is read, so that nothing holds it up. */
async function addressesIn(lines: ReturnType<typeof createInterface>) {
  const { promise, resolve, reject } = Promise.withResolvers<{ port: number; log: string }>();
  let port = 0;
  lines.on('line', (line) => {
    port = Number(/http:\/\/127\.0\.0\.1:(\d+)\/docs/.exec(line)?.[1] ?? port);
    const log = /tail -f (\S+)/.exec(line)?.[1];
    if (log) resolve({ port, log });
  });
  lines.on('close', () => reject(new Error('It ended before it was ready')));
  return promise;
}
