import assert from 'node:assert/strict';
import { test } from 'vitest';
import { foreignTool } from '../../../src/application/chat/foreignTool.ts';
import type { ToolContext } from '../../../src/application/chat/tool.ts';
import { named, traceparentOf } from '../../../src/tracing/context.ts';

const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('a server is told in which trace its tool is called, where somebody traces', async () => {
  const told: (string | undefined)[] = [];
  const connection = {
    version: undefined,
    list: async () => [],
    async call(
      _name: string,
      _input: object,
      { traceparent }: { readonly traceparent?: string | undefined },
    ) {
      told.push(traceparent);
      return { content: [], isError: false };
    },
    close: async () => undefined,
  };
  const spec = { devices: false, name: 'kitchen', prefix: 'kitchen', timeoutMs: 1_000 };
  const tool = foreignTool(
    { spec, run: (work) => work(connection) },
    { name: 'boil', inputSchema: { type: 'object' } },
  );
  assert.ok(tool);
  const context: ToolContext = {
    ...{ userId: 'ann', sessionId: null, origin: 'model', signal: new AbortController().signal },
    ...{ callId: 'call-1', correlationId: CALLER },
    turn: { turnId: 't', conversationId: 't', said: null, earlier: () => [] },
  };
  await tool.prepare({})(context);
  await tool.prepare({})({ ...context, correlationId: 'nobody-traces' });
  assert.deepEqual(told, [traceparentOf(CALLER, named.call('t', 'call-1')), undefined]);
});
