import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CalledTool, Tool, ToolCallOutcome, ToolProgress } from '../../application/chat/tool.ts';
import { type ToolCalls, USUAL_TIMEOUT_MS } from '../../application/chat/toolCalls.ts';
import { ToolParts } from '../../application/chat/toolOutput.ts';
import type { ToolRegistry } from '../../application/chat/toolRegistry.ts';
import type { Cancelled } from '../../application/timeout.ts';
import { traced } from '../../tracing/live.ts';
import type { Taken } from '../rest/rateLimits.ts';
import type { Visit } from '../rest/visit.ts';

export interface Callable {
  readonly registry: Pick<ToolRegistry, 'get'>;
  readonly calls: Pick<ToolCalls, 'run' | 'knows'>;
}

/** Runs a tool for a client. What the tool refuses is a result that begins with `Error: `. */
export async function callTool(
  { registry, calls }: Callable,
  { name, arguments: input = {} }: CallToolRequest['params'],
  visit: Visit,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const tool = registry.get(name);
  if (!calls.knows(name) || (visit.isOfHark && tool?.isForeign))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}`);
  const { report, end } = startTelling(mcpReq, tool);
  const { id, signal } = mcpReq;
  const context = { id: String(id), signal, ...(report ? { report } : {}) };
  const result = await runTool({ registry, calls }, { name, input }, visit, context);
  end();
  return result;
}

interface RunContext {
  readonly id: string;
  readonly signal: Cancelled;
  readonly report?: (progress: ToolProgress) => void;
}

/** Never throws: what goes wrong is the result. */
export async function runTool(
  { registry, calls }: Callable,
  { name, input }: Pick<CalledTool, 'name' | 'input'>,
  { userId, correlationId, device }: Visit,
  { id, signal, ...told }: RunContext,
): Promise<CallToolResult> {
  const tool = registry.get(name);
  const by = device ? { deviceId: device.deviceId } : {};
  const context = { userId, sessionId: null, correlationId, origin: 'client', ...by, ...told } as const;
  const outcome = await traced(
    () => ({
      ...{ name: `tools/call ${name}`, kind: 'server', correlationId },
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': name,
        'jsonrpc.request.id': id,
      },
    }),
    () => calls.run({ id, name, input }, { context, signal }),
    ({ failed }) => ({ error: failed ? 'tool_error' : undefined }),
  );
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

const EVERY_MS = 5_000;

/** How far a call is, in seconds of those that it may take. */
interface Elapsed {
  readonly progress: number;
  readonly total: number;
}

/**
 * Tells a client that its call is being worked on: at once, and then from time to time, so that nobody takes it for
 * lost. Returns what ends it.
 */
function tellProgress(tell: (elapsed: Elapsed) => void, longestMs: number): () => void {
  const startedAt = performance.now();
  const total = longestMs / 1_000;
  tell({ progress: 0, total });
  const telling = setInterval(() => {
    tell({ progress: Math.round((performance.now() - startedAt) / 1_000), total });
  }, EVERY_MS);
  return () => clearInterval(telling);
}
