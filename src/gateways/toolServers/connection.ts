import { z } from 'zod';
import type { ToolServerSpec } from '../../toolServerSpec.ts';
import { boundedFetch } from './boundedFetch.ts';

/** A tool as its server tells of it: nothing of it is to be believed. */
export interface ForeignTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

export interface ForeignResult {
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  }) => void;
}

export interface ToolServerConnection {
  readonly version: string | undefined;
  list(): Promise<readonly ForeignTool[]>;
  call(name: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<ForeignResult>;
  close(): Promise<void>;
}

/** One tool that is none must not take the others with it: it is refused by whoever offers them. */
const page = z.looseObject({
  tools: z.array(
    z
      .looseObject({
        name: z.string(),
        description: z.string().optional().catch(undefined),
        inputSchema: z.record(z.string(), z.unknown()).catch({ type: 'none' }),
        annotations: z.record(z.string(), z.unknown()).optional().catch(undefined),
      })
      .catch({ name: '', inputSchema: { type: 'none' } }),
  ),
  nextCursor: z.string().optional(),
});

export interface ConnectionEvents {
  /** Gives the connection up, also while it is being made. */
  readonly signal: AbortSignal;
  onToolsChanged(): void;
  onClose(): void;
}

/** Connecting takes no longer than this, however long a call may. */
const LONGEST_CONNECT_MS = 10_000;
const MOST_PAGES = 100;
/** By this hark knows hark, and does not pass on what others gave it: a circle of servers would grow for ever. */
const VIA_HEADER = 'x-hark-via';

export async function connectToolServer(
  spec: ToolServerSpec,
  version: string,
  { signal, onToolsChanged, onClose }: ConnectionEvents,
): Promise<ToolServerConnection> {
  const { Client } = await import('@modelcontextprotocol/client');
  const timeout = Math.min(spec.timeoutMs, LONGEST_CONNECT_MS);
  const listChanged = { tools: { autoRefresh: false, debounceMs: 100, onChanged: onToolsChanged } };
  const client = new Client(
    { name: 'hark', version },
    { versionNegotiation: { mode: 'auto' as const, probe: { timeoutMs: timeout } }, listChanged },
  );
  const transport = await transportOf(spec);
  // Whatever it waits for ends with the transport.
  signal.addEventListener('abort', () => void transport.close(), { once: true });
  try {
    await client.connect(transport, { timeout, signal });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  client.onclose = onClose;
  return {
    version: client.getNegotiatedProtocolVersion(),
    async list() {
      const tools: ForeignTool[] = [];
      let cursor: string | undefined;
      for (let asked = 0; asked < MOST_PAGES; asked++) {
        const params = cursor === undefined ? {} : { cursor };
        const listed = await client.request({ method: 'tools/list', params }, page, { timeout });
        tools.push(...listed.tools);
        cursor = listed.nextCursor;
        if (cursor === undefined || tools.length > spec.maxTools) break;
      }
      return tools;
    },
    async call(name, input, { signal, onProgress }) {
      const params = { name, arguments: { ...input } };
      const {
        content,
        structuredContent,
        isError = false,
      } = await client.request(
        { method: 'tools/call', params },
        { signal, timeout: spec.timeoutMs, ...(onProgress ? { onprogress: onProgress } : {}) },
      );
      return { content, structuredContent, isError };
    },
    close: () => client.close(),
  };
}

async function transportOf(spec: ToolServerSpec) {
  if ('command' in spec) {
    const { getDefaultEnvironment, StdioClientTransport } = await import(
      '@modelcontextprotocol/client/stdio'
    );
    const { command, args, env, maxResponseBytes } = spec;
    return new StdioClientTransport({
      command,
      args,
      env: { ...getDefaultEnvironment(), ...env },
      stderr: 'ignore',
      maxBufferSize: maxResponseBytes,
    });
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const own = 'headers' in spec ? spec.headers : {};
  return new StreamableHTTPClientTransport(new URL(spec.url), {
    requestInit: { headers: { ...own, [VIA_HEADER]: '1' }, redirect: 'error' },
    fetch: boundedFetch(spec.maxResponseBytes),
  });
}
