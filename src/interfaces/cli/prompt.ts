import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliFailure, exitCodes } from './failure.ts';
import { print, printable } from './output.ts';

/** As a shell has it for Ctrl-C. */
const INTERRUPTED = 130;

/** What somebody types at the terminal, without white space at its ends. Ctrl-C and Ctrl-D end the command. */
export async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, written) => written() });
  const reader = createInterface({
    input: process.stdin,
    output: isSecret ? unseen : process.stdout,
    terminal: true,
  });
  // Only now: until somebody reads, the terminal itself shows what is typed.
  if (isSecret) process.stdout.write(question);
  const stopped = new AbortController();
  const leave = Promise.race([
    once(reader, 'SIGINT'),
    once(reader, 'close', { signal: stopped.signal }),
  ]).then(() => {
    throw new CliFailure('stopped; what was done stays done', INTERRUPTED);
  });
  try {
    return (await Promise.race([reader.question(isSecret ? '' : question), leave])).trim();
  } finally {
    stopped.abort();
    leave.catch(() => undefined);
    reader.close();
    if (isSecret) process.stdout.write('\n');
  }
}

/** One of several, by its number; the first where nothing is typed. */
export async function choose<Choice extends { readonly label: string }>(
  choices: readonly [Choice, ...Choice[]],
): Promise<Choice> {
  for (const [index, { label }] of choices.entries()) print(`     ${index + 1}  ${printable(label)}`);
  for (;;) {
    const typed = await ask('   Which? [1] ');
    const chosen = typed === '' ? choices[0] : choices[Number(typed) - 1];
    if (chosen) return chosen;
    print(`   A number from 1 to ${choices.length}`);
  }
}

/** What Enter means is the capital letter. */
export async function confirm(question: string, otherwise: boolean): Promise<boolean> {
  for (;;) {
    const typed = (await ask(`   ${question} ${otherwise ? '[Y/n]' : '[y/N]'} `)).toLowerCase();
    if (typed === '') return otherwise;
    if (/^(y|yes|n|no)$/.test(typed)) return typed.startsWith('y');
  }
}

/** Refuses to ask where nobody can answer. */
export function requireTerminal(otherwise: string): void {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new CliFailure(otherwise, exitCodes.usage);
}
