import type { TaskMaker } from '../../vocabulary.ts';
import type { CallingTurn } from '../callingTurn.ts';
import type { DeviceAccess, DeviceScope } from '../deviceScope.ts';

type ToolOrigin = Exclude<TaskMaker, 'user'>;

/** Who a tool works for, and until when. */
export interface ToolContext {
  readonly userId: string;
  readonly sessionId: string | null;
  readonly correlationId: string;
  /** Who calls it: never the user, who asks by other ways. */
  readonly origin: ToolOrigin;
  /** The device whose proof stands behind it, as it is now: the tool does no more for it than it may. */
  readonly device?: DeviceScope;
  /** None where it is no turn that calls. */
  readonly turn?: CallingTurn;
  /** Under which the model knows the call. */
  readonly callId?: string;
  /** Names the call where it may be made twice: the second time it need not change anything. */
  readonly commandId?: string;
  /** Ends with the turn, and when the tool has had its time. */
  readonly signal: AbortSignal;
  /** Shows the model these tools from the next step on; not there where nobody can be shown more. */
  readonly reveal?: (names: readonly string[]) => void;
  /** Tells how far it is; not there where nobody wants to know. */
  readonly report?: (progress: ToolProgress) => void;
}

/** As whoever calls tells it. What the device behind it may is looked up for each call: that may change meanwhile. */
export interface CallerContext extends Omit<ToolContext, 'device' | 'signal'> {
  readonly deviceId?: string;
}

/** How far a call is. `progress` grows with each. */
export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a client may take a tool for, in MCP's words: hints, and no promise of whoever wrote the tool. */
export interface ToolAnnotations {
  readonly title?: string;
  /** Changes nothing. */
  readonly readOnlyHint?: boolean;
  /** Takes something away, or puts something else in its place. */
  readonly destructiveHint?: boolean;
  /** Done twice, it is as if it were done once. */
  readonly idempotentHint?: boolean;
  /** Reaches out of this service. */
  readonly openWorldHint?: boolean;
}

/** How people ask for a tool. */
export interface ToolHints {
  /**
   * With a comma between them. One fits where all of its words occur, in whatever form and order; `#` stands for a
   * number or a time, as in "at 9".
   */
  readonly phrases?: string;
  /** Shown before others where nothing says which tools are needed. */
  readonly everyday?: true;
}

/** Something that a model may do. */
export interface Tool {
  /** With dots, as hark and MCP name it. */
  readonly name: string;
  readonly description: string;
  /** For finding it: `smart_home`, `voice`, `system`, `memory`, `scheduling` … */
  readonly category: string;
  /** What a device may of it. */
  readonly device: DeviceAccess;
  /** JSON Schema of an object: what the model is told, and MCP's clients. */
  readonly input: Readonly<Record<string, unknown>>;
  /** JSON Schema of what it gives; not there where that is a text. */
  readonly output?: Readonly<Record<string, unknown>> | undefined;
  readonly annotations?: ToolAnnotations;
  /** Makes one call of what the model wrote. Throws a `ToolInputError` that the model can learn from. */
  prepare(input: unknown): PreparedToolCall;
  /** Instead of the usual time. */
  readonly timeoutMs?: number;
  /** Tells by itself how far it is. */
  readonly reports?: true;
  /** Set for each of the service's own, which a turn is shown for as long as there is room. */
  readonly hints?: ToolHints;
  /** Of a tool server of somebody else: what it says of itself is not to be believed. */
  readonly isForeign?: true;
}

/** Gives text, parts, or what is told to the model as JSON. */
export type PreparedToolCall = (context: ToolContext) => Promise<unknown>;

/** What the model wrote does not fit the tool; the message says where and why. */
export class ToolInputError extends Error {
  override readonly name = 'ToolInputError';
}

/** The tool says itself what went wrong. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

export interface ToolCallOutcome {
  /** What the model gets to read. */
  readonly result: string;
  readonly failed: boolean;
  readonly durationMs: number;
  /** It is of a tool server of somebody else. */
  readonly isForeign?: true;
  /** What the tool itself gave, where it did not fail. */
  readonly output?: unknown;
}

/** What the model is told of a tool. */
export type ShownTool = Pick<Tool, 'name' | 'description' | 'input'>;

/** The tools of one turn: those that the model is shown, and whoever runs what it calls. */
export interface TurnTools {
  /** Grows while the turn runs, by what `discover_tools` found: to be read anew before each step. */
  readonly shown: readonly ShownTool[];
  /**
   * What the list of tools costs in tokens of the model. An estimate until they are counted, which is over in
   * a moment for tools that were counted before: to be read at the end of the turn.
   */
  readonly tokens: number;
  /** Never throws: what goes wrong is the result. Runs any registered tool, shown or not. */
  run(call: CalledTool, context: CallerContext, signal: AbortSignal): Promise<ToolCallOutcome>;
}

export interface CalledTool {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Set where the model wrote no object of JSON at all. */
  readonly malformed?: string;
}

/** Chooses the tools of a turn. */
export interface ToolSelector {
  select(wish: ToolWish): Promise<TurnTools>;
}

export interface ToolWish {
  readonly userId: string;
  readonly text: string;
  /** Names of the tools that the conversation used lately, newest first. */
  readonly lately: readonly string[];
  /** Only what this device may call is of use. */
  readonly deviceId?: string | undefined;
  readonly signal: AbortSignal;
}
