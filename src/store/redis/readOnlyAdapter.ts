import type { Redis } from 'ioredis';
import { HarkError } from '../../errors.ts';
import type {
  BesideLog,
  FoundCommand,
  FoundKeys,
  KeptKey,
  RawEvent,
  RawRange,
  RawSnapshot,
} from '../adapter.ts';
import type { Cursor, Position, SnapshotKey, StoreStatus, StreamRange } from '../port.ts';
import { ReadOnlyAdapter } from '../readOnlyAdapter.ts';
import { exportBeside, exportKeys } from './exporting.ts';
import { toHarkError } from './failures.ts';
import { infoField } from './inspection.ts';
import { connectOnce } from './onlooker.ts';
import * as reading from './reading.ts';
import { toRawEvent } from './rows.ts';

/** Reads a log in Redis and leaves it as it is: it brings no functions, and gives no log an identity. */
export class RedisReadOnlyAdapter extends ReadOnlyAdapter {
  readonly #redis: Redis;
  readonly #version: string;

  private constructor(redis: Redis, version: string) {
    super();
    this.#redis = redis;
    this.#version = version;
  }

  static async open(url: string): Promise<RedisReadOnlyAdapter> {
    const redis = await connectOnce(url);
    try {
      const version = infoField(await redis.info('server'), 'redis_version') ?? 'unknown';
      if (!('logId' in (await reading.readMeta(redis))))
        throw new HarkError('NOT_FOUND', { message: 'This Redis holds no log' });
      return new RedisReadOnlyAdapter(redis, version);
    } catch (error) {
      redis.disconnect();
      throw toHarkError(error);
    }
  }

  findCommand(commandId: string): Promise<FoundCommand | undefined> {
    return this.#read((redis) => reading.findCommand(redis, commandId));
  }
  async readStream(stream: string, range: StreamRange & { limit: number }): Promise<RawEvent[]> {
    return (await this.#read((redis) => reading.readStream(redis, stream, range))).map(toRawEvent);
  }
  async readAll(range: RawRange): Promise<RawEvent[]> {
    return (await this.#read((redis) => reading.readAll(redis, range))).map(toRawEvent);
  }
  head(): Promise<Position> {
    return this.#read(reading.readHead);
  }
  readKeys(userId: string, subjects: readonly string[]): Promise<FoundKeys> {
    return this.#read((redis) => reading.readKeys(redis, userId, subjects));
  }
  readMeta(): Promise<Record<string, string>> {
    return this.#read(reading.readMeta);
  }
  loadSnapshot(key: SnapshotKey): Promise<RawSnapshot | undefined> {
    return this.#read((redis) => reading.loadSnapshot(redis, key));
  }
  readCursor(name: string): Promise<Cursor> {
    return this.#read((redis) => reading.readCursor(redis, name));
  }
  exportBeside(): Promise<BesideLog> {
    return this.#read(exportBeside);
  }
  exportKeys(): Promise<readonly KeptKey[]> {
    return this.#read(exportKeys);
  }
  async status(): Promise<StoreStatus> {
    return { connected: this.#redis.status === 'ready', url: 'redis', version: this.#version };
  }
  async close(): Promise<void> {
    this.#redis.disconnect();
  }

  async #read<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.#redis);
    } catch (error) {
      throw toHarkError(error);
    }
  }
}
