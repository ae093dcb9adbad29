import { isHarkError } from '../../errors.ts';
import { mayDevice, outOfScope, type ScopeOf } from '../deviceScope.ts';
import { bounded, type Cancelled, LateSignal } from '../timeout.ts';
import {
  type CalledTool,
  type CallerContext,
  type ShownTool,
  type Tool,
  type ToolCallOutcome,
  type ToolContext,
  ToolFailure,
  ToolInputError,
} from './tool.ts';
import { cut, readable } from './toolOutput.ts';
import type { ToolRegistry } from './toolRegistry.ts';

export const USUAL_TIMEOUT_MS = 30_000;
const MOST_CHARACTERS = 32 * 1_024;
const LONGEST_QUOTE = 100;
const MOST_NAMED = 20;

interface ToolCallsOptions {
  readonly registry: Pick<ToolRegistry, 'get'>;
  readonly scopeOf: ScopeOf;
  /** What went wrong in a tool, by its name: the model is only told that something did. */
  readonly onFailure: (what: string, error: unknown, correlationId?: string) => void;
  /** Why a tool that there is at other times is not there now. */
  readonly whyAbsent?: (name: string) => string | undefined;
  readonly timeoutMs?: number;
  readonly mostCharacters?: number;
}

/** What else there is to a call, for whoever asked for it. */
export interface Around {
  readonly context: CallerContext;
  readonly signal: Cancelled;
  /** Named to a model that asked for a tool that is not there. */
  readonly known?: readonly ShownTool[];
}

/** Who would call a tool. */
export interface ToolCaller extends Pick<CallerContext, 'userId'> {
  readonly deviceId: string | undefined;
  readonly inChat: boolean;
}

/**
 * Runs what a model called. Whatever goes wrong becomes a result that the model can read: it begins with `Error: `
 * and tells nothing of the machine. A tool that does not end in time, or does not heed that it was cancelled, is
 * left behind, and what it gives later goes nowhere.
 */
export class ToolCalls {
  readonly #options: Required<ToolCallsOptions>;

  constructor(options: ToolCallsOptions) {
    const usual = {
      whyAbsent: () => undefined,
      timeoutMs: USUAL_TIMEOUT_MS,
      mostCharacters: MOST_CHARACTERS,
    };
    this.#options = { ...usual, ...options };
  }

  /** Whether there is such a tool, now or at other times. */
  knows(name: string): boolean {
    const { registry, whyAbsent } = this.#options;
    return registry.get(name) !== undefined || whyAbsent(name) !== undefined;
  }

  /** Whether whoever asks may call it; a device has to be one of the user's still. */
  isFor(tool: Pick<Tool, 'device'>, { userId, deviceId, inChat }: ToolCaller): boolean {
    if (deviceId === undefined) return true;
    const device = this.#options.scopeOf(deviceId);
    return device?.userId === userId && mayDevice(device, tool.device, { inChat });
  }

  async run(call: CalledTool, around: Around): Promise<ToolCallOutcome> {
    const startedAt = performance.now();
    const took = () => Math.round(performance.now() - startedAt);
    const whose = this.#options.registry.get(call.name)?.isForeign ? { isForeign: true as const } : {};
    try {
      const output = await this.#outputOf(call, around);
      const result = readable(output, this.#options.mostCharacters);
      return { result, failed: false, durationMs: took(), ...whose, output };
    } catch (error) {
      const result = `Error: ${this.#reason(call, error, around.context)}`;
      return { result, failed: true, durationMs: took(), ...whose };
    }
  }

  async #outputOf(call: CalledTool, around: Around): Promise<unknown> {
    const tool = this.#toolOf(call, around);
    const context = { ...this.#contextOf(tool, around.context), callId: call.id };
    const prepared = tool.prepare(call.input);
    const ms = tool.timeoutMs ?? this.#options.timeoutMs;
    const reasonFor = (end: 'late' | 'cancelled') =>
      new CallEnded(end === 'late' ? `The tool took longer than ${ms / 1_000} s` : 'The call was cancelled');
    const bounds = { ms, cancelled: around.signal, reasonFor };
    return bounded(bounds, (signal) => prepared(Object.assign(new LateSignal(signal), context)));
  }

  /** With what the device behind the call may; refused where that is not this. */
  #contextOf(tool: Tool, { deviceId, ...context }: CallerContext): Omit<ToolContext, 'signal'> {
    const { userId, turn } = context;
    const device = deviceId === undefined ? undefined : this.#options.scopeOf(deviceId);
    if (!this.isFor(tool, { userId, deviceId, inChat: turn !== undefined }))
      throw outOfScope('This device may not use this tool');
    return device ? { ...context, device } : context;
  }

  #toolOf({ name, malformed }: CalledTool, { known = [] }: Around): Tool {
    const tool = this.#options.registry.get(name);
    if (!tool)
      throw new ToolInputError(
        this.#options.whyAbsent(name) ?? `There is no tool ${quoted(name)}${namesOf(known)}`,
      );
    if (malformed !== undefined)
      throw new ToolInputError(`The arguments must be a JSON object, not ${quoted(malformed)}`);
    return tool;
  }

  #reason({ name }: CalledTool, error: unknown, { correlationId }: CallerContext): string {
    const { mostCharacters, onFailure } = this.#options;
    if (error instanceof ToolInputError || error instanceof ToolFailure || error instanceof CallEnded)
      return cut(error.message, mostCharacters);
    if (isHarkError(error) && error.code !== 'INTERNAL') return cut(withIssues(error), mostCharacters);
    onFailure(name, error, correlationId);
    return 'The tool failed';
  }
}

/** Why a call ended before its tool did. */
class CallEnded extends Error {
  override readonly name = 'CallEnded';
}

/** Says what of the input was wrong, where that is known. */
function withIssues({ message, body }: { message: string; body: Readonly<Record<string, unknown>> }): string {
  const issues = Array.isArray(body.issues) ? body.issues : [];
  const told = issues.flatMap((issue) => {
    const { path, message: why } = Object(issue);
    return typeof why === 'string' ? [describeIssue(Array.isArray(path) ? path : [], why)] : [];
  });
  return told.length === 0 ? message : `${message}: ${told.join('; ')}`;
}

export function describeIssue(path: readonly unknown[], why: string): string {
  return path.length === 0 ? why : `${path.map(String).join('.')}: ${why}`;
}

function namesOf(known: readonly ShownTool[]): string {
  if (known.length === 0) return '';
  const names = known.slice(0, MOST_NAMED).map(({ name }) => name);
  return `. There are: ${names.join(', ')}${known.length > MOST_NAMED ? ', …' : ''}`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${cut(text, LONGEST_QUOTE)}…` : text);
}
