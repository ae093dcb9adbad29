import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Tool, ToolCallOutcome, ToolProgress } from '../../sagas/chat/tool.ts';
import { type ToolCalls, USUAL_TIMEOUT_MS } from '../../sagas/chat/toolCalls.ts';
import { ToolParts } from '../../sagas/chat/toolParts.ts';
import type { ToolRegistry } from '../../sagas/chat/toolRegistry.ts';
import type { Taken } from '../rest/rateLimits.ts';
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
  { userId, correlationId, isOfHark }: Visit,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  if (!calls.knows(name) || (isOfHark && registry.get(name)?.isForeign))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}`);
  const tool = registry.get(name);
  const { report, end } = startTelling(mcpReq, tool);
  const who = { userId, sessionId: null, correlationId, origin: 'client' } as const;
  const context = { ...who, ...(report ? { report } : {}) };
  const outcome = await calls.run({ id: String(mcpReq.id), name, input }, { context, signal: mcpReq.signal });
  end();
  return resultOf(outcome, tool);
}

/** In words, as what a tool refuses: a model may wait, where a status would end its client's work. */
export function refusedForNow({ retryAfterMs }: Taken): CallToolResult {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return {
    content: [{ type: 'text', text: `Error: Too many requests; try again in ${seconds} s` }],
    isError: true,
  };
}

function resultOf({ result: text, failed, output }: ToolCallOutcome, tool: Tool | undefined): CallToolResult {
  if (output instanceof ToolParts) {
    const { parts, structured } = output;
    return {
      content: [...parts],
      ...(structured === undefined ? {} : { structuredContent: structured }),
    };
  }
  const content = [{ type: 'text' as const, text }];
  if (failed) return { content, isError: true };
  return tool?.output ? { content, structuredContent: output } : { content };
}

interface Telling {
  /** For a tool that tells by itself. */
  readonly report?: (progress: ToolProgress) => void;
  end(): void;
}

/** Only a client that gave a token wants to be told. One that is gone by then misses nothing. */
function startTelling({ _meta, notify }: ServerContext['mcpReq'], tool: Tool | undefined): Telling {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { end() {} };
  const report = (progress: ToolProgress) => {
    const params = { progressToken, ...progress };
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  if (tool?.reports) return { report, end() {} };
  return { end: tellProgress(report, tool?.timeoutMs ?? USUAL_TIMEOUT_MS) };
}
