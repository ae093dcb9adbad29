import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../../support/service.ts';
import { tool } from '../../support/tools.ts';

const ME = { name: 'test', version: '1' };
const KEY = 'a-very-secret-key';
const requestInit = { headers: { authorization: `Bearer ${KEY}` } };

/** What the generations of the official client have in common. */
interface AnyClient {
  readonly version: string | undefined;
  names(): Promise<readonly string[]>;
  call(
    name: string,
    args: Record<string, unknown>,
    told: (progress: number) => void,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** Resolves when it is told that the tools changed. */
  changed(): Promise<void>;
  close(): Promise<void>;
}

interface Result {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

async function connect(url: string, mode: 'auto' | 'legacy'): Promise<AnyClient> {
  const { promise: changed, resolve } = Promise.withResolvers<void>();
  const listChanged = { tools: { onChanged: () => resolve(), autoRefresh: false, debounceMs: 0 } };
  const client = new Client(ME, { versionNegotiation: { mode }, listChanged });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return {
    version: client.getNegotiatedProtocolVersion(),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args, told, signal) =>
      client.callTool(
        { name, arguments: args },
        { onprogress: ({ progress }) => told(progress), ...(signal ? { signal } : {}) },
      ),
    changed: () => changed,
    close: () => client.close(),
  };
}

async function connectOlder(url: string): Promise<AnyClient> {
  const { promise: changed, resolve } = Promise.withResolvers<void>();
  const client = new OlderClient(ME);
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
  const transport = new OlderTransport(new URL(url), { requestInit });
  await client.connect(transport);
  return {
    version: transport.protocolVersion,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args, told, signal) {
      const { content, structuredContent, isError } = await client.callTool(
        { name, arguments: args },
        undefined,
        { onprogress: ({ progress }) => told(progress), ...(signal ? { signal } : {}) },
      );
      return { content, structuredContent, isError: isError === true };
    },
    changed: () => changed,
    close: () => client.close(),
  };
}

for (const [generation, start, version] of [
  ['of 2026', (url: string) => connect(url, 'auto'), '2026-07-28'],
  ['of 2026 that speaks as in 2025', (url: string) => connect(url, 'legacy'), '2025-11-25'],
  ['of 2025', connectOlder, '2025-11-25'],
] as const)
  describe(`the official client ${generation}`, () => {
    let service: InProcessService;
    let client: AnyClient;
    let change: () => void;
    const cancelled = Promise.withResolvers<void>();
    beforeAll(async () => {
      service = await InProcessService.start(
        { SERVICE_API_KEY: KEY },
        {
          onTools(registry) {
            change = () => registry.replace('changing', [tool('test.changed')]);
            registry.register(
              'test',
              tool('test.hang', {
                run({ signal }) {
                  signal.addEventListener('abort', () => cancelled.resolve());
                  return new Promise(() => {});
                },
              }),
            );
          },
        },
      );
      client = await start(service.mcpUrl);
    });
    afterAll(async () => {
      await client.close();
      await service.stop();
    });

    test('agrees on a version', () => assert.equal(client.version, version));

    test('lists the tools', async () => {
      assert.ok((await client.names()).includes('system.health'));
    });

    test('calls every tool that needs nothing, and finds that what it gives fits its schema', async () => {
      const progress: number[] = [];
      const told = (now: number) => void progress.push(now);
      for (const [name, args] of Object.entries({
        'system.health': {},
        'session.status': {},
        'schedule.list': {},
        'memory.ask_about_user': { question: 'Who am I?' },
        discover_tools: { query: 'health' },
        'schedule.create': {
          name: 'Soon',
          scheduleType: 'interval',
          intervalMs: 60_000,
          eventTopic: 'test.topic',
        },
      })) {
        const { isError, structuredContent } = await client.call(name, args, told);
        assert.notEqual(isError, true, name);
        assert.ok(structuredContent, name);
      }
      assert.ok(progress.includes(0));
    });

    test('is told what went wrong', async () => {
      const { isError, content } = await client.call('voice.speak', { text: 'Hello' }, () => {});
      assert.equal(isError, true);
      assert.deepEqual(content, [{ type: 'text', text: 'Error: No voice session' }]);
    });

    test('cancels a call', async () => {
      const giveUp = new AbortController();
      const { promise: begun, resolve } = Promise.withResolvers<void>();
      const call = client.call('test.hang', {}, () => resolve(), giveUp.signal);
      await begun;
      giveUp.abort();
      await assert.rejects(call);
      await cancelled.promise;
    });

    test('is told when the tools change', async () => {
      change();
      await client.changed();
      assert.ok((await client.names()).includes('test.changed'));
    });
  });
