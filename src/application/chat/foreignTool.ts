import type {
  ForeignResult,
  ForeignTool,
  ToolServerConnection,
} from '../../gateways/toolServers/connection.ts';
import type { ToolServerSpec } from '../../toolServerSpec.ts';
import { named } from '../../tracing/context.ts';
import { handedOn } from '../../tracing/live.ts';
import { inMarks, readableSchema } from './foreignSchema.ts';
import {
  type PreparedToolCall,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  ToolFailure,
  ToolInputError,
} from './tool.ts';
import { type ToolPart, ToolParts } from './toolOutput.ts';
import { isToolName } from './toolRegistry.ts';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
const DEEPEST = 64;

interface Carried {
  readonly spec: Pick<ToolServerSpec, 'devices' | 'name' | 'prefix' | 'timeoutMs'>;
  /** Runs a call on the connection that there is then. */
  readonly run: <Result>(work: (connection: ToolServerConnection) => Promise<Result>) => Promise<Result>;
}

/** A tool of a foreign server under its prefix; undefined where it cannot be offered. */
export function foreignTool({ spec, run }: Carried, foreign: ForeignTool): Tool | undefined {
  const name = `${spec.prefix}.${foreign.name}`;
  const input = readableSchema(foreign.inputSchema);
  if (!isToolName(name) || !input) return undefined;
  return {
    name,
    description: fenced(spec.name, foreign.description ?? foreign.name),
    category: spec.prefix,
    device: spec.devices ? 'always' : 'never',
    input,
    annotations: hintsOf(foreign.annotations),
    timeoutMs: spec.timeoutMs,
    reports: true,
    isForeign: true,
    prepare(given) {
      if (typeof given !== 'object' || given === null) throw new ToolInputError('An object is needed');
      return calling({ spec, run }, foreign.name, { ...given });
    },
  };
}

function calling({ spec, run }: Carried, name: string, input: Record<string, unknown>): PreparedToolCall {
  return async ({ signal, report, ...context }) => {
    const result = await run((connection) =>
      connection.call(name, input, {
        signal,
        traceparent: traceparentOfCall(context),
        ...(report
          ? {
              onProgress: ({ progress, total, message }) =>
                report({
                  progress,
                  ...(total === undefined ? {} : { total }),
                  ...(message === undefined ? {} : { message }),
                }),
            }
          : {}),
      }),
    );
    return outputOf(result, spec.name);
  };
}

function traceparentOfCall({ correlationId, turn, callId }: Omit<ToolContext, 'signal' | 'report'>) {
  const isOfTurn = turn !== undefined && callId !== undefined;
  return handedOn(correlationId, isOfTurn ? named.call(turn.turnId, callId) : undefined);
}

function outputOf({ content, structuredContent, isError }: ForeignResult, server: string): ToolParts {
  if (isDeeper(structuredContent, DEEPEST))
    throw new ToolFailure(`The tool server ${server} sent an answer that is nested too deeply`);
  const output = new ToolParts(content.flatMap(partOf), structuredContent);
  if (isError) throw new ToolFailure(output.text || 'The tool failed');
  return output;
}

/** What is nested thousands of levels deep can be read, and not be written again: nobody would be answered. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** As a part of ours: what is not known is left out, and fields that nobody knows as well. */
function partOf(block: Readonly<Record<string, unknown>>): readonly ToolPart[] {
  const { type, text, data, mimeType, uri, name, resource } = block;
  if (type === 'text' && typeof text === 'string') return [{ type, text }];
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string')
    return [{ type, data, mimeType }];
  if (type === 'resource_link' && typeof uri === 'string' && typeof name === 'string')
    return [{ type, uri, name }];
  return type === 'resource' ? embedded(Object(resource)) : [];
}

function embedded({ uri, mimeType, text, blob }: Readonly<Record<string, unknown>>): readonly ToolPart[] {
  if (typeof uri !== 'string') return [];
  const of = { uri, ...(typeof mimeType === 'string' ? { mimeType } : {}) };
  if (typeof text === 'string') return [{ type: 'resource', resource: { ...of, text } }];
  return typeof blob === 'string' ? [{ type: 'resource', resource: { ...of, blob } }] : [];
}

function hintsOf(annotations: Readonly<Record<string, unknown>> = {}): ToolAnnotations {
  const told = HINTS.flatMap((hint) =>
    typeof annotations[hint] === 'boolean' ? [[hint, annotations[hint]] as const] : [],
  );
  return { readOnlyHint: false, ...Object.fromEntries(told) };
}

/**
 * Whose words these are, and where they end. They go to models as the description of one tool, and never into the
 * system prompt.
 */
function fenced(server: string, description: string): string {
  return `From the tool server ${server}, in its own words: ${inMarks(description)}`;
}
