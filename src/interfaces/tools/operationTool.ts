import { z } from 'zod';
import { type Tool, type ToolContext, ToolInputError } from '../../application/chat/tool.ts';
import { describeIssue } from '../../application/chat/toolCalls.ts';
import { LateSignal } from '../../application/timeout.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import type { AnyOperation, Caller, ToolOperation } from '../operation.ts';

/** Enough to learn from. */
const MOST_ISSUES = 10;

/** The operations among these that are tools too. */
export function toolsAmong(operations: readonly AnyOperation[]): readonly ToolOperation[] {
  return operations.flatMap((operation) =>
    operation.kind === 'call' && operation.tool ? [{ ...operation, tool: operation.tool }] : [],
  );
}

/** Makes a tool of an operation: asked by a model, it does what it would do for the model's user. */
export function toolOf(operation: ToolOperation): Tool {
  const { input, tool, device } = operation;
  const { name, description, category, annotations, hints = {}, timeoutMs } = tool;
  const schema = lazily(() => schemaOf(input(), 'input'));
  const output = lazily(() => outputSchemaOf(operation));
  return {
    name,
    description,
    category,
    device,
    annotations,
    hints,
    /** Drawn up when it is first read: at a start, nobody reads it. */
    get input() {
      return schema();
    },
    get output() {
      return output();
    },
    prepare(given) {
      const parsed = input().safeParse(given);
      if (!parsed.success) throw new ToolInputError(explain(parsed.error));
      return (context) => run(operation, parsed.data, context);
    },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

async function run(
  operation: ToolOperation,
  input: Record<string, unknown>,
  context: ToolContext,
): Promise<unknown> {
  const { tool } = operation;
  const { userId, correlationId, commandId, origin, sessionId, turn, device } = context;
  const repeated = commandId === undefined ? {} : { commandId };
  const by = turn ? { origin, sessionId, turn } : { origin, sessionId };
  const asked = { userId, correlationId, during: turn, ...repeated, ...(device ? { device } : {}), tool: by };
  const signal = new LateSignal(() => context.signal);
  const caller: Caller = Object.assign(signal, asked, { address: 'tool', isLoopback: false });
  try {
    operation.admit?.(caller);
    const output = await operation.run(input, caller);
    if (tool.reveals) context.reveal?.(tool.reveals(output));
    return tool.result ? tool.result(output) : output;
  } catch (error) {
    if (!isHarkError(error)) throw error;
    const { code, body } = error;
    const said = tool.wording?.[code] ?? error.message;
    const message = tool.refusal === undefined ? said : `${tool.refusal}: ${said}`;
    throw message === error.message ? error : new HarkError(code, { message, body, cause: error });
  }
}

/** Of what is told: nothing where that is a text. */
function outputSchemaOf({ output, tool }: ToolOperation): Tool['output'] {
  const told = tool.result ? tool.resultSchema?.() : output();
  return told && !(told instanceof z.ZodString) ? schemaOf(told, 'output') : undefined;
}

/** Clients may look at what they get by it, and there may once be more in that than it says. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Readonly<Record<string, unknown>> {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return described;
}

function explain({ issues }: z.ZodError): string {
  const told = issues.slice(0, MOST_ISSUES).map(({ path, message }) => describeIssue(path, message));
  return `The arguments do not fit: ${told.join('; ')}`;
}
