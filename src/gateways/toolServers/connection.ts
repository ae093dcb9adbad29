import type { Client, Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { ToolServerSpec } from '../../toolServerSpec.ts';
import { boundedFetch } from './boundedFetch.ts';
import { Intake } from './intake.ts';
import { ProgramTransport } from './programTransport.ts';

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
  /** Where the call stands in its trace. */
  readonly traceparent?: string | undefined;
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
  /** It has done what no server may, and is closed for that. */
  onCutOff(why: string): void;
  onClose(): void;
}

/** Connecting takes no longer than this, however long a call may. */
const LONGEST_CONNECT_MS = 10_000;
const MOST_PAGES = 100;
/** Beside calls: what is listened to, listed and called off, and the answers to what the server asks. */
const MOST_OTHER_REQUESTS = 32;
/** An answer that comes as late as it may is still heard. */
const GRACE_MS = 1_000;
const MOST_WAIT_MS = 86_400_000;
/** By this hark knows hark, and does not pass on what others gave it: a circle of servers would grow for ever. */
const VIA_HEADER = 'x-hark-via';

export async function connectToolServer(
  spec: ToolServerSpec,
  version: string,
  events: ConnectionEvents,
): Promise<ToolServerConnection> {
  try {
    return await connect(spec, version, events, 'auto');
  } catch (error) {
    const { SdkError, SdkErrorCode } = await import('@modelcontextprotocol/client');
    // Some programs of the older revisions end when they are asked which they speak.
    const mayHaveEnded = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
    if (!('command' in spec && mayHaveEnded) || events.signal.aborted) throw error;
    return connect(spec, version, events, 'legacy');
  }
}

async function connect(
  spec: ToolServerSpec,
  version: string,
  { signal, onToolsChanged, onCutOff, onClose }: ConnectionEvents,
  mode: 'auto' | 'legacy',
): Promise<ToolServerConnection> {
  const { Client } = await import('@modelcontextprotocol/client');
  const timeout = Math.min(spec.timeoutMs, LONGEST_CONNECT_MS);
  const listChanged = { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } };
  const client = new Client(
    { name: 'hark', version },
    { versionNegotiation: { mode, probe: { timeoutMs: timeout } }, listChanged },
  );
  const intake = new Intake((why) => {
    onCutOff(why);
    void transport.close();
  });
  const transport = await transportOf(spec, intake);
  // Whatever it waits for ends with the transport.
  signal.addEventListener('abort', () => void transport.close(), { once: true });
  try {
    await client.connect(transport, { timeout, signal });
  } catch (error) {
    intake.close();
    await client.close().catch(() => undefined);
    throw error;
  }
  client.onclose = () => {
    intake.close();
    onClose();
  };
  return {
    version: client.getNegotiatedProtocolVersion(),
    list: () => intake.whileAsked(() => listed(client, spec.maxTools, timeout)),
    call: (name, input, { signal, traceparent, onProgress }) =>
      intake.whileAsked(async () => {
        const asked = { name, arguments: { ...input } };
        const params = traceparent === undefined ? asked : { ...asked, _meta: { traceparent } };
        const {
          content,
          structuredContent,
          isError = false,
        } = await client.request(
          { method: 'tools/call', params },
          { signal, timeout: spec.timeoutMs, ...(onProgress ? { onprogress: onProgress } : {}) },
        );
        return { content, structuredContent, isError };
      }),
    async close() {
      await client.close();
      // The client has let go of it where it was closed before, and then waits for no program to end.
      await transport.close();
    },
  };
}

async function listed(client: Client, maxTools: number, timeout: number): Promise<readonly ForeignTool[]> {
  const tools: ForeignTool[] = [];
  let cursor: string | undefined;
  for (let asked = 0; asked < MOST_PAGES; asked++) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: 'tools/list', params }, page, { timeout });
    tools.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined || tools.length > maxTools) break;
  }
  return tools;
}

async function transportOf(spec: ToolServerSpec, intake: Intake): Promise<Transport> {
  if ('command' in spec) {
    const { getDefaultEnvironment } = await import('@modelcontextprotocol/client/stdio');
    return new ProgramTransport({ ...spec, env: { ...getDefaultEnvironment(), ...spec.env } }, intake);
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const own = 'headers' in spec ? spec.headers : {};
  return new StreamableHTTPClientTransport(new URL(spec.url), {
    requestInit: { headers: { ...own, [VIA_HEADER]: '1' } },
    reconnectionScheduler: (listen, ms) => later(listen, Math.max(ms, spec.reconnectInterval)),
    fetch: boundedFetch({
      mostBytes: spec.maxResponseBytes,
      mostAtOnce: spec.maxCalls + MOST_OTHER_REQUESTS,
      longestMs: spec.timeoutMs + GRACE_MS,
      intake,
    }),
  });
}

/** How soon it is listened to again is for the server to say, but not that it is at once, or a timer's overflow. */
function later(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, Math.min(ms, MOST_WAIT_MS)).unref();
  return () => clearTimeout(timer);
}
