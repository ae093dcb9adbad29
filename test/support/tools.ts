import { type PreparedToolCall, type Tool, ToolInputError } from '../../src/application/chat/tool.ts';

/** A tool that answers with its own name, but for what a test makes of it. */
export function tool(name: string, facts: Partial<Tool> & { readonly run?: PreparedToolCall } = {}): Tool {
  const { run = async () => name, ...rest } = facts;
  return {
    name,
    description: `Does ${name}`,
    device: 'always',
    category: name.split('.')[0] ?? name,
    input: { type: 'object', properties: {} },
    prepare: () => run,
    ...rest,
  };
}

/** A tool that wants to be told a number. */
export function counting(name: string): Tool {
  return tool(name, {
    prepare(input) {
      const { n } = Object(input);
      if (typeof n !== 'number') throw new ToolInputError('n: expected a number');
      return async () => ({ n, next: n + 1 });
    },
  });
}
