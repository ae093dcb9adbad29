import { z } from 'zod';
import type { ToolAnnotations, ToolContext, ToolHints } from '../application/chat/tool.ts';
import type { DeviceAccess, DeviceScope } from '../application/deviceScope.ts';
import type { RunningTurn } from '../commands/runningTurn.ts';
import type { ErrorCode } from '../errors.ts';
import { lazily } from '../lazily.ts';
import '../validationWords.ts';

/** Who asks, as the carrier made sure of it. */
export interface Caller {
  readonly userId: string;
  /** It said itself who the user is, and nobody had to assume it. */
  readonly namesUser?: boolean;
  readonly correlationId: string;
  /** Lets a repeated request change nothing the second time (`Idempotency-Key`). */
  readonly commandId?: string;
  /** Where an interrupted stream goes on, as the caller's last message named it (`Last-Event-ID`). */
  readonly lastEventId?: string;
  /** Shown by who sets the service up while it has no API key (`X-Setup-Token`); nobody has looked at it yet. */
  readonly setupToken?: string;
  /** Showed the API key, or there is none. */
  readonly isKnown?: boolean;
  /** Set where a device asks by its own proof, or had something done: it may no more than this, whatever else is shown. */
  readonly device?: DeviceScope;
  /** Set where a tool was called, and nobody asked by themselves: by whom, and in which session. */
  readonly tool?: Pick<ToolContext, 'origin' | 'sessionId' | 'turn'>;
  /** Set where that is in a turn: with what is said there, nothing that the tool has done is kept. */
  readonly during?: RunningTurn | undefined;
  /** What counts as one address where something is limited by it. */
  readonly address: string;
  /** On this machine itself: also not behind a proxy that runs on it. */
  readonly isLoopback: boolean;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
}

interface RestBinding {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /**
   * With `:name` for the input fields that travel in the path; each has to be an id. The rest of the input is
   * the query of a GET or DELETE, and the body of a POST or PUT.
   */
  readonly path: string;
  readonly status?: number;
  /** Refused for what it shows, it counts as a failure; whoever is right is held up by nobody's. */
  readonly limitsFailures?: true;
  /** Needs no key, although it lies under `/api`; what lies elsewhere never needs one. */
  readonly access?: 'open';
  /**
   * Has power over the machine, or over all that is kept: while there is no key, no page of another origin may ask,
   * whatever `CORS_ORIGIN` says. Where only some of its requests have, its query says which; the description says so.
   */
  readonly isPowerful?: true | ((query: Readonly<Record<string, unknown>>) => boolean);
  /** Unknown input fields are refused; else they are passed over. */
  readonly strict?: true;
  /** So long a body may be, where that is not what all may: a longer one is 413. */
  readonly mostBodyBytes?: number;
  /** A field of base64 that is left as the bytes in which it came: a text of a megabyte is much to collect. */
  readonly bytesField?: string;
  /** What is in the path are names, and no ids of hark's: any text will do. */
  readonly takesNames?: true;
  /** What the refusal of a malformed path id says. */
  readonly invalidId?: string;
  /** Headers that it looks at, beside those of every request, and what each says. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Content type of an answer that is text and not JSON. */
  readonly text?: string;
}

/** As what models and MCP's clients are offered an operation. */
interface ToolBinding<Output> {
  readonly name: string;
  /** For a model, which decides by this whether to call it. */
  readonly description: string;
  /** By which it is found: `system`, `voice`, `memory`, `scheduling` … */
  readonly category: string;
  readonly annotations: ToolAnnotations;
  /** How people ask for it, beside the words of its name and description. */
  readonly hints?: ToolHints;
  /**
   * Set where it needs the key-value store: without that it is not registered, and whoever calls it all the same is
   * refused with this.
   */
  readonly needsKvstore?: ErrorCode;
  /** Instead of the usual time of a tool. */
  readonly timeoutMs?: number;
  /** What is told, where that is not the output: a text, or what is told as JSON. */
  result?(output: Output): unknown;
  /** Of what is told as JSON, where that is not the output. */
  readonly resultSchema?: () => z.ZodType;
  /** How a refusal begins; what is wrong follows. */
  readonly refusal?: string;
  /** Refusals that are worded differently here. */
  readonly wording?: Readonly<Partial<Record<ErrorCode, string>>>;
  /** The names of tools that the output tells of, which may be called from then on. */
  reveals?(output: Output): readonly string[];
}

interface Declaration<Input extends z.ZodObject> {
  readonly name: string;
  readonly area: string;
  /** What a device may of it, over whichever carrier. */
  readonly device: DeviceAccess;
  readonly summary: string;
  readonly description?: string;
  readonly rest: RestBinding;
  /** Its schemas are built when they are first asked for: of all that there are, a start needs none. */
  readonly input: () => Input;
  /** Throws for a caller who may not ask; called before anybody looks at the input. */
  admit?(caller: Caller): void;
  /** What may be refused, beside what every operation may. */
  readonly errors: readonly ErrorCode[];
  /** Shown in OpenAPI, and run by a test against the started service. */
  readonly example: { readonly input: z.input<Input>; readonly output?: unknown };
}

/**
 * One thing that can be asked of the service, declared once and mounted by every carrier: a REST route, its
 * page in OpenAPI, an MCP tool, a command of the command line.
 */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends Declaration<Input> {
  readonly kind: 'call';
  readonly output: () => Output;
  /** Set where models may ask for it too. */
  readonly tool?: ToolBinding<z.output<Output>>;
  /** A frozen output is a promise that it will not change: carriers may keep what they made of it. */
  run(input: z.output<Input>, caller: Caller): Promise<z.output<Output>> | z.output<Output>;
}

/** One thing that models and MCP's clients alone can ask for. */
export interface ToolOperation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType>
  extends Pick<Operation<Input, Output>, 'device' | 'input' | 'output' | 'run'> {
  readonly tool: ToolBinding<z.output<Output>>;
  admit?(caller: Caller): void;
}

export interface StreamMessage {
  readonly id?: string;
  readonly event?: string;
  /** Sent as JSON. Where streams may be joined, the same object is turned into it once for all that send it at a time. */
  readonly data: object;
}

/** Messages in batches; over HTTP the answer begins with these headers beside its own. */
export interface Listening extends AsyncIterable<readonly StreamMessage[]> {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, as a last message, to who listened to the end. */
  readonly lastWords?: string;
  /** Ends by itself when the service stops, and has its last messages told until then. */
  readonly isBounded?: true;
  /**
   * Set where many listen to the same. Who was told all that the others were goes on with them: `tell` is called
   * until it says false, which means that it can take no more for now. Resolves when it is called no more, with false
   * if there is no more to tell; else what follows is asked for again. Undefined for who is behind: it has to ask for
   * batches, and may try again after each.
   */
  join?(tell: (messages: readonly StreamMessage[]) => boolean): Promise<boolean> | undefined;
}

/** One thing that can be listened to. What is refused is refused before the first message. */
export interface StreamOperation<
  Input extends z.ZodObject = z.ZodObject,
  Message extends z.ZodType = z.ZodType,
> extends Declaration<Input> {
  readonly kind: 'stream';
  /** Shape of the data of its messages. */
  readonly message: () => Message;
  run(input: z.output<Input>, caller: Caller): Promise<Listening>;
}

/** One thing that is answered at once or listened to, as the input says. */
export interface EitherOperation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Message extends z.ZodType = z.ZodType,
> extends Declaration<Input> {
  readonly kind: 'either';
  readonly output: () => Output;
  readonly message: () => Message;
  run(input: z.output<Input>, caller: Caller): Promise<z.output<Output> | Listening>;
}

/** A text that is told in pieces, as long as it may be. What is refused is refused before the first of them. */
export interface TextOperation<Input extends z.ZodObject = z.ZodObject> extends Declaration<Input> {
  readonly kind: 'text';
  /** Shape of the whole, where it is JSON. */
  readonly output?: () => z.ZodType;
  run(input: z.output<Input>, caller: Caller): Promise<AsyncIterable<string>>;
}

export type AnyOperation = Operation | StreamOperation | EitherOperation | TextOperation;

export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Omit<Operation<Input, Output>, 'kind'>,
): Operation<Input, Output> {
  return { ...operation, input: lazily(operation.input), output: lazily(operation.output), kind: 'call' };
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: ToolOperation<Input, Output>,
): ToolOperation<Input, Output> {
  return { ...operation, input: lazily(operation.input), output: lazily(operation.output) };
}

export function defineStream<Input extends z.ZodObject, Message extends z.ZodType>(
  operation: Omit<StreamOperation<Input, Message>, 'kind'>,
): StreamOperation<Input, Message> {
  return { ...operation, input: lazily(operation.input), message: lazily(operation.message), kind: 'stream' };
}

export function defineEither<Input extends z.ZodObject, Output extends z.ZodType, Message extends z.ZodType>(
  operation: Omit<EitherOperation<Input, Output, Message>, 'kind'>,
): EitherOperation<Input, Output, Message> {
  const { input, output, message } = operation;
  const schemas = { input: lazily(input), output: lazily(output), message: lazily(message) };
  return { ...operation, ...schemas, kind: 'either' };
}

export function defineText<Input extends z.ZodObject>(
  operation: Omit<TextOperation<Input>, 'kind'>,
): TextOperation<Input> {
  return { ...operation, input: lazily(operation.input), kind: 'text' };
}

export const ID_PATTERN = /^[a-zA-Z0-9_-]{1,128}$/;

/** A number of a query or a path, as this schema reads it: one that is left empty is wrong, and not 0. */
export function written<Schema extends z.ZodType>(schema: Schema) {
  const isEmpty = (value: unknown) => typeof value === 'string' && value.trim() === '';
  return z.preprocess((value) => (isEmpty(value) ? Number.NaN : value), schema);
}

/** Of whatever can be seen as it was. */
export const moment = lazily(() =>
  written(z.coerce.number().int().nonnegative())
    .optional()
    .describe('As it was at this moment (Unix ms), without what was forgotten since'),
);

/** An id as it may stand in a path. */
export const id = lazily(() => z.string().regex(ID_PATTERN, 'must be 1 to 128 letters, digits, _ or -'));
