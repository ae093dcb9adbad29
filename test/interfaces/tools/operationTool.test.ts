import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { z } from 'zod';
import { ToolCalls } from '../../../src/application/chat/toolCalls.ts';
import { HarkError } from '../../../src/errors.ts';
import {
  type Caller,
  defineOperation,
  defineTool,
  type ToolOperation,
} from '../../../src/interfaces/operation.ts';
import { toolOf, toolsAmong } from '../../../src/interfaces/tools/operationTool.ts';

const binding = {
  name: 'task.add',
  description: 'Adds a task',
  category: 'scheduling',
  annotations: { readOnlyHint: false },
};
const context = { userId: 'ann', sessionId: 's', correlationId: 'turn', origin: 'model' } as const;

/** What the model reads after it called the tool. */
async function call(operation: ToolOperation, input: Record<string, unknown> = {}) {
  const tool = toolOf(operation);
  const revealed: string[] = [];
  const onFailure = (_what: string, error: unknown) => assert.ifError(error);
  const calls = new ToolCalls({ registry: { get: () => tool }, scopeOf: () => undefined, onFailure });
  const reveal = (names: readonly string[]) => void revealed.push(...names);
  const around = { context: { ...context, reveal }, signal: new AbortController().signal };
  const { result } = await calls.run({ id: '1', name: tool.name, input }, around);
  return { result, revealed };
}

const adding = defineTool({
  device: 'always',
  tool: binding,
  input: () =>
    z.object({
      name: z.string().min(1).describe('What to do'),
      every: z.object({ hours: z.int().default(24) }).optional(),
    }),
  output: () => z.object({ taskId: z.string(), hours: z.int().optional() }),
  run: ({ name, every }) => ({ taskId: `id of ${name}`, ...(every ? { hours: every.hours } : {}) }),
});

describe('an operation as a tool', () => {
  it('is described by its schema', () => {
    const { name, description, category, annotations, input } = toolOf(adding);
    assert.deepEqual({ name, description, category, annotations }, binding);
    assert.deepEqual(input, {
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'What to do' },
        every: {
          type: 'object',
          properties: {
            hours: { default: 24, type: 'integer', maximum: 9007199254740991, minimum: -9007199254740991 },
          },
        },
      },
      required: ['name'],
    });
  });

  it('is run with what its schema makes of the arguments', async () => {
    const { result } = await call(adding, { name: 'sweep', every: {}, more: 1 });
    assert.equal(result, '{"taskId":"id of sweep","hours":24}');
  });

  it('tells where arguments do not fit, and why', async () => {
    const { result } = await call(adding, { name: '', every: { hours: 'two' } });
    assert.equal(
      result,
      'Error: The arguments do not fit: name: must not be empty; ' + 'every.hours: must be a number',
    );
  });

  it('works for the user of the turn, who is nobody on this machine', async () => {
    let seen: Partial<Caller> = {};
    await call(
      defineTool({
        device: 'always',
        tool: binding,
        input: () => z.object({}),
        output: () => z.string(),
        run(_input, { signal: _, ...caller }) {
          seen = caller;
          return '';
        },
      }),
    );
    const tool = { origin: 'model', sessionId: 's' };
    assert.deepEqual(seen, {
      userId: 'ann',
      correlationId: 'turn',
      during: undefined,
      tool,
      address: 'tool',
      isLoopback: false,
    });
  });

  it('may tell something else than its output, and reveal tools', async () => {
    const tool = { ...binding, result: () => 'The task was added', reveals: () => ['task.cancel'] };
    const { result, revealed } = await call({ ...adding, tool }, { name: 'sweep' });
    assert.deepEqual([result, revealed], ['The task was added', ['task.cancel']]);
  });

  it('refuses in its own words', async () => {
    const refuses = (refusal?: string) =>
      call({
        ...adding,
        tool: { ...binding, ...(refusal ? { refusal } : {}) },
        input: () => z.object({}),
        run() {
          throw new HarkError('CHECK_FAILED', { message: 'nobody there' });
        },
      });
    assert.equal((await refuses()).result, 'Error: nobody there');
    assert.equal((await refuses('Health check failed')).result, 'Error: Health check failed: nobody there');
  });

  it('is refused to whom the operation does not admit', async () => {
    const admit = () => {
      throw new HarkError('FORBIDDEN');
    };
    assert.equal((await call({ ...adding, admit }, { name: 'sweep' })).result, 'Error: Forbidden');
  });

  it('is one only where the operation says so', () => {
    const rest = { method: 'GET', path: '/api/tasks' } as const;
    const shared = {
      name: 'tasks.add',
      area: 'tasks',
      summary: 'Adds',
      rest,
      errors: [],
      example: { input: { name: 'a' } },
    };
    const { tool, ...route } = adding;
    const both = defineOperation({ ...shared, ...route, tool });
    const routeOnly = defineOperation({ ...shared, ...route });
    assert.deepEqual(
      toolsAmong([routeOnly, both]).map(({ tool }) => tool.name),
      ['task.add'],
    );
  });
});
