import { setTimeout as later } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { infoField } from './inspection.ts';
import * as keys from './keys.ts';
import type { RedisLink } from './link.ts';

const LOOK_EVERY_MS = 20;
const TIMEOUT_MS = 10_000;

/**
 * A destroyed key is gone from Redis at once, but the files that Redis keeps on disk still tell of it until they
 * are written anew. Forgets that come together share one rewriting. One that could not be done stays counted in
 * Redis, and is made up for when a hark next comes in.
 */
export class DiskPurge {
  readonly #link: RedisLink;
  readonly #timeoutMs: number;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(link: RedisLink, timeoutMs = TIMEOUT_MS) {
    this.#link = link;
    this.#timeoutMs = timeoutMs;
  }

  /** As `run`, but whoever forgets waits only so long. The rewriting goes on: cut off, it would be for nothing. */
  async runInTime(): Promise<void> {
    const over = new AbortController();
    try {
      await Promise.race([this.run(), later(this.#timeoutMs, undefined, { signal: over.signal })]);
    } finally {
      over.abort();
    }
  }

  /** Resolves when files that were begun after this call have taken the place of those before. */
  run(): Promise<void> {
    if (!this.#running) return this.#start();
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#start();
    });
    return this.#next;
  }

  /** Joins a rewriting that is under way: asked for again and again, another would always stand behind it. */
  async makeUp(): Promise<void> {
    const isDue = await this.#link.write((redis) => redis.exists(keys.UNPURGED));
    if (isDue) await (this.#running ?? this.#start());
  }

  #start(): Promise<void> {
    this.#running = this.#link
      .write(rewriteFiles)
      .catch(() => undefined)
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}

async function rewriteFiles(redis: Redis): Promise<void> {
  const counted = await redis.get(keys.UNPURGED);
  if ((await persistence(redis, 'aof_enabled')) === '1') {
    const busy = ['aof_rewrite_in_progress', 'aof_rewrite_scheduled'];
    await anew(redis, () => redis.bgrewriteaof(), busy, 'aof_last_bgrewrite_status');
  }
  if (await savesSnapshots(redis)) {
    const busy = ['rdb_bgsave_in_progress'];
    await anew(redis, () => redis.bgsave(), busy, 'rdb_last_bgsave_status');
  }
  if (counted !== null) await redis.fcall('hark_purged', 1, keys.UNPURGED, counted);
}

/** One that is under way already began too early: it is waited for, and then comes ours. */
async function anew(
  redis: Redis,
  start: () => Promise<unknown>,
  busy: readonly string[],
  outcome: string,
): Promise<void> {
  while (!(await hasStarted(start))) await pause();
  while (await isBusy(redis, busy)) await pause();
  if ((await persistence(redis, outcome)) !== 'ok')
    throw new Error(`Redis could not write its files: ${outcome}`);
}

async function hasStarted(start: () => Promise<unknown>): Promise<boolean> {
  try {
    await start();
    return true;
  } catch (error) {
    if (error instanceof Error && /in progress|another child/i.test(error.message)) return false;
    throw error;
  }
}

async function isBusy(redis: Redis, fields: readonly string[]): Promise<boolean> {
  const info = await redis.info('persistence');
  return fields.some((field) => infoField(info, field) !== '0');
}

async function persistence(redis: Redis, field: string): Promise<string | undefined> {
  return infoField(await redis.info('persistence'), field);
}

/** Where Redis does not say when it saves, it is taken to save. */
async function savesSnapshots(redis: Redis): Promise<boolean> {
  try {
    const [, when] = (await redis.config('GET', 'save')) as string[];
    return when !== '';
  } catch {
    return true;
  }
}

async function pause(): Promise<void> {
  await later(LOOK_EVERY_MS, undefined, { ref: false });
}
