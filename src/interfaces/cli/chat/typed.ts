const commands = {
  new: 'begin a new conversation',
  history: 'show what was said in this one',
  cancel: 'stop the reply that runs',
  help: 'show this',
  exit: 'end',
} as const;

type CommandName = keyof typeof commands;

/** What somebody typed: something to say, or a command. */
export type Typed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'command'; readonly name: CommandName }
  | { readonly kind: 'unknown'; readonly name: string };

/** Only a word alone after the slash is a command: a path is something to say. */
export function typedIn(line: string): Typed {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  const [, word] = /^\/([a-z]+)$/i.exec(text) ?? [];
  if (word === undefined) return { kind: 'text', text };
  const name = word.toLowerCase();
  return isCommand(name) ? { kind: 'command', name } : { kind: 'unknown', name };
}

export const helpRows: readonly string[][] = Object.entries(commands).map(([name, about]) => [
  `/${name}`,
  about,
]);

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
