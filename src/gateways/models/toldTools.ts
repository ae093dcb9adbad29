import type { CompletionRequest } from './gateway.ts';

/*
 * The schemas of tools are most of what many requests say, and the same from one to the next. So what a provider is
 * told of a tool is put together once, and written as JSON once, for as long as the tool is there.
 */

type OfferedTool = NonNullable<CompletionRequest['tools']>[number];

/** The tools as a provider is told of them, each under the name that it is given. */
export function toldBy<Told extends object>(tell: (tool: OfferedTool, name: string) => Told) {
  const told = new WeakMap<OfferedTool, { readonly name: string; readonly as: Told }>();
  return (tools: readonly OfferedTool[], names: { given(name: string): string }): Told[] =>
    tools.map((tool) => {
      const name = names.given(tool.name);
      const before = told.get(tool);
      if (before?.name === name) return before.as;
      const as = tell(tool, name);
      told.set(tool, { name, as });
      return as;
    });
}

const written = new WeakMap<object, string>();

/** As `JSON.stringify` has it, but for the place of `tools`, which come last. */
export function requestJson(body: object): string {
  if (!('tools' in body) || !Array.isArray(body.tools)) return JSON.stringify(body);
  const { tools, ...rest } = body;
  const before = JSON.stringify({ ...rest, tools: [] }).slice(0, -']}'.length);
  return `${before}${tools.map(writtenOnce).join(',')}]}`;
}

/**
 * In ASCII: one … in the description of one tool would else have the whole request take two bytes a letter, and be worked
 * on anew with each turn. That was a sixth of what a turn allocates.
 */
function writtenOnce(tool: object): string {
  const before = written.get(tool);
  if (before !== undefined) return before;
  const json = inAscii(JSON.stringify(tool));
  written.set(tool, json);
  return json;
}

/** The same JSON: outside its strings there is nothing else anyway. Read back from bytes, V8 holds it in one a letter. */
function inAscii(json: string): string {
  const escaped = json.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Buffer.from(escaped, 'latin1').toString('latin1');
}
