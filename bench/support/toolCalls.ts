import { z } from 'zod';
import { type Command, defineCommand } from '../../src/commands/command.ts';
import type { NewEvent } from '../../src/events/definition.ts';
import { defineEvent } from '../../src/events/definition.ts';

/** About 300 bytes in the log, like the events of the peer benchmarks. */
export const toolCallCompleted = defineEvent('bench.toolCall.completed', {
  data: () =>
    z.object({
      callId: z.string(),
      tool: z.string(),
      ok: z.boolean(),
      tokens: z.number(),
      ms: z.number(),
      summary: z.string(),
    }),
});

export type ToolCall = z.output<typeof toolCallCompleted.data>;

export function toolCall(index: number): ToolCall {
  return {
    callId: `call_${((index * 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}`,
    tool: 'memory.search',
    ok: index % 17 !== 0,
    tokens: index % 997,
    ms: (index * 7) % 1_500,
    summary: 'the user prefers short answers and metric units in every reply',
  };
}

interface AgentState {
  readonly calls: number;
}

export const completeToolCall: Command<{ agent: number; call: ToolCall }, AgentState> = defineCommand({
  name: 'bench.completeToolCall',
  state: {
    name: 'bench.agent',
    version: 1,
    initial: { calls: 0 },
    evolve: (state: AgentState, event: NewEvent) =>
      event.type === toolCallCompleted.type ? { calls: state.calls + 1 } : state,
  },
  scope: 'user',
  stream: ({ agent }) => `agent-${agent}`,
  decide: (_state, { call }): NewEvent[] => [{ type: toolCallCompleted.type, data: call }],
});
