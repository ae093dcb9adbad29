import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { Log } from '../../../src/store/log.ts';
import { openAdapter } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/port.ts';

export const bin = join(import.meta.dirname, '../../../bin/hark.js');

type Environment = Readonly<Record<string, string>>;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nothing of the environment of the tests reaches the command but what every program needs. */
export function startHark(
  args: readonly string[],
  environment: Environment = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(process.execPath, [bin, ...args], {
    env: { PATH, HOME, ...environment },
    stdio: [stdin, 'pipe', 'pipe'],
  });
}

export async function hark(
  args: readonly string[],
  environment: Environment = {},
  input?: string,
): Promise<Outcome> {
  return outcomeOf(startHark(args, environment, input === undefined ? 'ignore' : 'pipe'), input);
}

/** Of a process that nobody has listened to yet. */
export async function outcomeOf(child: ChildProcess, input?: string): Promise<Outcome> {
  if (!child.stdout || !child.stderr) throw new Error('No pipes');
  child.stdin?.end(input);
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'close');
  const [stdout, stderr] = await outputs;
  return { code, stdout, stderr };
}

/** A folder that is gone when the test is over. */
export class TemporaryFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'hark-cli-'));
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export const start = Date.parse('2026-01-02T03:00:00Z');

/** Event number n of the story below happened n minutes after the start. */
export function minute(n: number): string {
  return new Date(start + n * 60_000).toISOString();
}

const story: readonly (readonly [stream: string, type: string, data: unknown])[] = [
  ['instance-a', 'system.instance.started', { instanceId: 'a', version: '0.1.0', pid: 1 }],
  ['settings', 'config:changed', { changes: { apiRateLimit: 50 } }],
  ['settings', 'config:changed', { changes: { chatRateLimit: 30, memorySearchMode: 'keyword' } }],
  ['settings', 'config:changed', { changes: { apiRateLimit: 60, chatRateLimit: null } }],
  ['instance-a', 'system.instance.stopped', { instanceId: 'a' }],
];

export async function openStore(url: string, dataDirectory: string): Promise<Store> {
  return Log.open(await openAdapter(url, dataDirectory), eventCatalog);
}

export async function tellStory(store: Store): Promise<void> {
  for (const [index, [stream, type, data]] of story.entries()) {
    await store.append({
      stream,
      events: [{ type, data }],
      expected: 'any',
      at: start + (index + 1) * 60_000,
      userId: null,
      correlationId: `cause-${index + 1}`,
      causationId: null,
    });
  }
}

/** A data directory at rest that holds the story. */
export async function writeStory(dataDirectory: string): Promise<void> {
  const store = await openStore('embedded', dataDirectory);
  await tellStory(store);
  await store.close();
}
