import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Tool } from '../../sagas/chat/tool.ts';
import { type ToolCalls, USUAL_TIMEOUT_MS } from '../../sagas/chat/toolCalls.ts';
import type { ToolRegistry } from '../../sagas/chat/toolRegistry.ts';
import type { Visit } from '../rest/visit.ts';
import { tellProgress } from './progress.ts';

export interface Callable {
  readonly registry: Pick<ToolRegistry, 'get'>;
  readonly calls: Pick<ToolCalls, 'run' | 'knows'>;
}

/** Runs a tool for a client. What the tool refuses is a result that begins with `Error: `. */
export async function callTool(
  { registry, calls }: Callable,
  { name, arguments: input = {} }: CallToolRequest['params'],
  { userId, correlationId }: Visit,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  if (!calls.knows(name))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}`);
  const tool = registry.get(name);
  const done = startTelling(mcpReq, tool);
  const context = { userId, sessionId: null, correlationId };
  const outcome = await calls.run({ id: String(mcpReq.id), name, input }, { context, signal: mcpReq.signal });
  done();
  const content = [{ type: 'text' as const, text: outcome.result }];
  if (outcome.failed) return { content, isError: true };
  return tool?.output ? { content, structuredContent: outcome.output } : { content };
}

/** Only a client that gave a token wants to be told. One that is gone by then misses nothing. */
function startTelling({ _meta, notify }: ServerContext['mcpReq'], tool: Tool | undefined): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  return tellProgress((elapsed) => {
    const params = { progressToken, ...elapsed };
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  }, tool?.timeoutMs ?? USUAL_TIMEOUT_MS);
}
