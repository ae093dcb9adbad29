import { z } from 'zod';
import { HarkError, isHarkError } from '../../errors.ts';
import { type Tool, type ToolContext, ToolInputError } from '../../sagas/chat/tool.ts';
import { describeIssue } from '../../sagas/chat/toolCalls.ts';
import type { AnyOperation, Caller, ToolOperation } from '../operation.ts';

/** Enough to learn from. */
const MOST_ISSUES = 10;

/** The operations among these that are tools too. */
export function toolsAmong(operations: readonly AnyOperation[]): readonly Tool[] {
  return operations.flatMap((operation) =>
    operation.kind === 'call' && operation.tool ? [toolOf({ ...operation, tool: operation.tool })] : [],
  );
}

/** Makes a tool of an operation: asked by a model, it does what it would do for the model's user. */
export function toolOf(operation: ToolOperation): Tool {
  const { input, tool } = operation;
  const { name, description, category, timeoutMs } = tool;
  let schema: Tool['input'] | undefined;
  return {
    name,
    description,
    category,
    /** Drawn up when it is first read: at a start, nobody reads it. */
    get input() {
      schema ??= schemaOf(input);
      return schema;
    },
    prepare(given) {
      const parsed = input.safeParse(given);
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
  const { userId, correlationId, signal } = context;
  const caller: Caller = { userId, correlationId, signal, address: 'tool', isLoopback: false };
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

function schemaOf(input: z.ZodObject): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return schema;
}

function explain({ issues }: z.ZodError): string {
  const told = issues.slice(0, MOST_ISSUES).map(({ path, message }) => describeIssue(path, message));
  return `The arguments do not fit: ${told.join('; ')}`;
}
