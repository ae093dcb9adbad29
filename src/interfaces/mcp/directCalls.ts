import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { ToolRegistry } from '../../application/chat/toolRegistry.ts';
import type { Era } from './era.ts';

/** A call of one of our own tools, for which nothing but the tool has to be asked. */
export interface DirectCall {
  readonly id: RequestId;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const ofMessage: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const ofParams: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);
const ofEnvelope: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
]);

/** Differ from call to call, and say nothing of who asks. */
const ofTraces: ReadonlySet<string> = new Set(['traceparent', 'tracestate']);

const LONGEST_ENVELOPE = 2_000;
const MOST_ENVELOPES = 100;

/**
 * Tells calls in the form that nearly all have from those of which the SDK has to be asked. It looks at each three
 * times, and at its answer once, which costs more than most tools. What a client of 2026 says of itself with each call
 * is believed in the very words in which the SDK has taken it before.
 */
export class DirectCalls {
  readonly #registry: Pick<ToolRegistry, 'get'>;
  readonly #taken = new Set<string>();

  constructor(registry: Pick<ToolRegistry, 'get'>) {
    this.#registry = registry;
  }

  /** The SDK has answered a request that came with it. */
  take(envelope: unknown): void {
    const text = textOf(envelope);
    if (text === undefined) return;
    if (this.#taken.size >= MOST_ENVELOPES) this.#taken.clear();
    this.#taken.add(text);
  }

  /** Undefined where the SDK has to be asked. */
  read(message: unknown, era: Era): DirectCall | undefined {
    if (!isObjectOf(ofMessage, message)) return undefined;
    const { jsonrpc, id, method, params } = message;
    if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id)) return undefined;
    if (!isObjectOf(ofParams, params) || !this.#isTaken(params._meta, era)) return undefined;
    const { name, arguments: input = {} } = params;
    if (typeof name !== 'string' || !isObject(input)) return undefined;
    const tool = this.#registry.get(name);
    return tool && !tool.isForeign ? { id, name, input } : undefined;
  }

  #isTaken(envelope: unknown, era: Era): boolean {
    if (era === 'legacy') return envelope === undefined || isObjectOf(ofTraces, envelope);
    const text = textOf(envelope);
    return text !== undefined && this.#taken.has(text);
  }
}

/** Of an envelope that says nothing but who asks, and how. */
function textOf(given: unknown): string | undefined {
  const envelope = isObject(given) && 'traceparent' in given ? withoutTrace(given) : given;
  if (!isObjectOf(ofEnvelope, envelope)) return undefined;
  const text = JSON.stringify(envelope);
  return text.length <= LONGEST_ENVELOPE ? text : undefined;
}

function withoutTrace({ traceparent: _, tracestate: __, ...envelope }: Readonly<Record<string, unknown>>) {
  return envelope;
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isObjectOf(fields: ReadonlySet<string>, value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  for (const key in value) if (!fields.has(key)) return false;
  return true;
}
