import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CliFailure } from '../failure.ts';
import { printable } from '../output.ts';
import type { SoundProgram } from './soundPrograms.ts';

const MOST_SAID = 300;

/** What a program records, as it comes, until the signal is aborted. Throws when the program ends by itself. */
export async function* record(
  { command, args }: SoundProgram,
  signal: AbortSignal,
): AsyncGenerator<Int16Array> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => {
    said = (said + bytes.toString()).slice(-MOST_SAID);
  });
  child.on('error', ({ message }) => {
    said ||= message;
  });
  const closed = once(child, 'close').catch(() => undefined);
  let rest = Buffer.alloc(0);
  try {
    for await (const bytes of child.stdout) {
      const all = Buffer.concat([rest, Buffer.from(bytes)]);
      const samples = new Int16Array(all.length >> 1);
      for (let index = 0; index < samples.length; index++) samples[index] = all.readInt16LE(2 * index);
      rest = all.subarray(2 * samples.length);
      if (samples.length > 0) yield samples;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    child.kill('SIGKILL');
  }
  if (signal.aborted) return;
  // Only then all is there that it had to say.
  await closed;
  const why = printable(said.trim().split('\n').at(-1) ?? '');
  throw new CliFailure(`${command} stopped recording${why === '' ? '' : `: ${why}`}`);
}
