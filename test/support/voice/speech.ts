import { execFile } from 'node:child_process';
import { accessSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { skippedFor } from '../skippedFor.ts';

const RATE = 16_000;
const WINDOW = 512;
const run = promisify(execFile);
/** Only of a program that hangs. */
const LONGEST_MS = 120_000;

export const withFlite = skippedFor(has('flite') ? false : 'flite is missing');
export const withFliteAndSox = skippedFor(has('flite') && has('sox') ? false : 'flite or sox is missing');

/** By the program flite, at the rate at which hark hears. */
export async function spoken(text: string, voice = 'slt'): Promise<Int16Array> {
  const folder = await mkdtemp(join(tmpdir(), 'hark-speech-'));
  try {
    const file = join(folder, 'speech.wav');
    await run('flite', ['-voice', voice, '-t', text, '-o', file], { timeout: LONGEST_MS });
    const bytes = await readFile(file);
    return samplesOf(bytes.subarray(bytes.indexOf('data') + 8));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Like a waterfall, by the program sox; the same each time. */
export async function pinkNoise(seconds: number): Promise<Int16Array> {
  const form = ['-r', String(RATE), '-b', '16', '-c', '1', '-e', 'signed', '-t', 'raw', '-'];
  const { stdout } = await run('sox', ['-R', '-n', ...form, 'synth', String(seconds), 'pinknoise'], {
    encoding: 'buffer',
    maxBuffer: 2 ** 24,
    timeout: LONGEST_MS,
  });
  return samplesOf(stdout);
}

/** Both at once, the second so many decibels below the first. */
export function mixed(speech: Int16Array, noise: Int16Array, belowDb: number): Int16Array {
  const power = (samples: Int16Array) =>
    samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const gain = Math.sqrt(power(speech) / power(noise)) * 10 ** (-belowDb / 20);
  return speech.map((sample, index) =>
    Math.max(-32_768, Math.min(32_767, sample + gain * (noise[index % noise.length] ?? 0))),
  );
}

export function silence(ms: number): Int16Array {
  return new Int16Array((ms * RATE) / 1_000);
}

/** What is left at the end is no window. */
export function windowsOf(samples: Int16Array): Int16Array[] {
  return Array.from({ length: Math.floor(samples.length / WINDOW) }, (_, index) =>
    samples.subarray(index * WINDOW, (index + 1) * WINDOW),
  );
}

function samplesOf(bytes: Buffer): Int16Array {
  const samples = new Int16Array(Math.floor(bytes.length / 2));
  for (let index = 0; index < samples.length; index++) samples[index] = bytes.readInt16LE(2 * index);
  return samples;
}

function has(command: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command));
      return true;
    } catch {
      return false;
    }
  });
}
