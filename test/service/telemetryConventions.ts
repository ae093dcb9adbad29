import assert from 'node:assert/strict';
import type { CollectedSpan } from '../support/collector.ts';

/*
 * What the semantic conventions for generative AI of OpenTelemetry (semantic-conventions-genai, docs/gen-ai, status
 * Development) list for each operation: name and kind of the span, what has to be there, and what may. Beside these, a
 * span may hold names of ours, which begin with `hark.`.
 */

const [INTERNAL, SERVER, CLIENT] = [1, 2, 3];

interface Convention {
  readonly name: RegExp;
  readonly kind: number;
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const failed = 'error.type';
const usage = ['gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens'];
const memory = {
  kind: INTERNAL,
  required: ['gen_ai.operation.name', 'gen_ai.provider.name'],
  optional: [
    ...['gen_ai.memory.store.id', 'gen_ai.memory.record.id', 'gen_ai.memory.record.count', failed],
    'gen_ai.conversation.id',
  ],
};
const workflow = { kind: INTERNAL, required: ['gen_ai.operation.name', 'gen_ai.workflow.name'] };

const conventions: Readonly<Record<string, Convention>> = {
  chat: {
    name: /^chat( \S+)?$/,
    kind: CLIENT,
    required: ['gen_ai.operation.name', 'gen_ai.provider.name'],
    optional: [
      ...['gen_ai.request.model', 'gen_ai.request.stream', 'gen_ai.conversation.id', failed, ...usage],
      ...['gen_ai.response.model', 'gen_ai.response.finish_reasons', 'gen_ai.response.time_to_first_chunk'],
    ],
  },
  invoke_agent: {
    name: /^invoke_agent hark$/,
    kind: INTERNAL,
    required: ['gen_ai.operation.name', 'gen_ai.provider.name'],
    optional: ['gen_ai.agent.name', 'gen_ai.conversation.id', 'gen_ai.request.model', failed, ...usage],
  },
  execute_tool: {
    name: /^execute_tool \S+$/,
    kind: INTERNAL,
    required: ['gen_ai.operation.name', 'gen_ai.tool.name'],
    optional: [
      ...['gen_ai.tool.type', 'gen_ai.tool.call.id', 'gen_ai.conversation.id', failed, 'mcp.method.name'],
    ],
  },
  'tools/call': {
    name: /^tools\/call \S+$/,
    kind: SERVER,
    required: ['mcp.method.name'],
    optional: ['gen_ai.operation.name', 'gen_ai.tool.name', 'jsonrpc.request.id', failed],
  },
  invoke_workflow: {
    ...workflow,
    name: /^invoke_workflow \S+$/,
    optional: [failed, 'gen_ai.conversation.id'],
  },
  retrieval: {
    name: /^retrieval \S+$/,
    kind: INTERNAL,
    required: ['gen_ai.operation.name', 'gen_ai.data_source.id'],
    optional: ['gen_ai.provider.name', 'gen_ai.retrieval.top_k', failed],
  },
  search_memory: { ...memory, name: /^search_memory memory$/ },
  create_memory: { ...memory, name: /^create_memory memory$/ },
  update_memory: { ...memory, name: /^update_memory memory$/ },
  upsert_memory: { ...memory, name: /^upsert_memory memory$/ },
  delete_memory: { ...memory, name: /^delete_memory memory$/ },
};

/** `content`: names that are there only where texts are sent along. */
export function assertConventional({ name, kind, attributes }: CollectedSpan): void {
  const isServed = kind === SERVER;
  const operation = isServed
    ? String(attributes['mcp.method.name'])
    : String(attributes['gen_ai.operation.name']);
  const convention = conventions[operation];
  assert.ok(convention, `${name}: ${operation} is no operation of the conventions`);
  assert.match(name, convention.name);
  assert.equal(kind, convention.kind, name);
  for (const required of convention.required) assert.ok(required in attributes, `${name} lacks ${required}`);
  const known = new Set([...convention.required, ...convention.optional]);
  const others = Object.keys(attributes).filter((key) => !key.startsWith('hark.') && !known.has(key));
  assert.deepEqual(others, [], name);
}
