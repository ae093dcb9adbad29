import type { Redis } from 'ioredis';
import type { FoundCommand, FoundKeys, RawRange, RawSnapshot } from '../adapter.ts';
import type { Cursor, SnapshotKey, StreamRange } from '../port.ts';
import * as keys from './keys.ts';
import { type Entry, unpackSnapshot } from './rows.ts';

/* Everything that is read of a log in Redis, by commands and functions that write nothing. */

export async function findCommand(redis: Redis, commandId: string): Promise<FoundCommand | undefined> {
  const found = await redis.hget(keys.COMMANDS, commandId);
  const [position, version] = found?.split(' ').map(Number) ?? [];
  return position === undefined || version === undefined ? undefined : { position, version };
}

export function readStream(
  redis: Redis,
  stream: string,
  range: StreamRange & { limit: number },
): Promise<Entry[]> {
  const { fromVersion = 1, afterPosition = 0, untilPosition = Number.MAX_SAFE_INTEGER, limit } = range;
  const named = [keys.LOG, keys.streamKey(stream)];
  return callReadOnly(redis, 'hark_read_stream', named, [fromVersion, untilPosition, limit, afterPosition]);
}

export async function readAll(redis: Redis, { after, until, limit, userId }: RawRange): Promise<Entry[]> {
  if (after >= until) return [];
  if (userId !== undefined) {
    const named = [keys.LOG, keys.userKey(userId), keys.userKey(null)];
    return callReadOnly(redis, 'hark_read_user', named, [after, until, limit]);
  }
  const range = [keys.LOG, `${after + 1}-0`, `${until}-0`, 'COUNT', String(limit)];
  return (await redis.callBuffer('XRANGE', range)) as Entry[];
}

export function readHead(redis: Redis): Promise<number> {
  return redis.xlen(keys.LOG);
}

export async function readKeys(
  redis: Redis,
  userId: string,
  subjects: readonly string[],
): Promise<FoundKeys> {
  const asked = redis.multi().hget(keys.FORGETS, userId);
  const [[failure, forgotAt] = [], [refusal, found] = []] =
    (await asked.hmgetBuffer(keys.subjectKeysKey(userId), ...subjects).exec()) ?? [];
  if (failure ?? refusal) throw failure ?? refusal;
  const bytes = Array.isArray(found) ? found : [];
  return {
    forgotAt: Number(forgotAt ?? 0),
    bytes: bytes.map((one) => (one instanceof Uint8Array ? one : undefined)),
  };
}

export function readMeta(redis: Redis): Promise<Record<string, string>> {
  return redis.hgetall(keys.META);
}

export async function loadSnapshot(
  redis: Redis,
  { owner, name }: SnapshotKey,
): Promise<RawSnapshot | undefined> {
  const packed = await redis.hgetBuffer(keys.snapshotsKey(owner), name);
  return packed ? unpackSnapshot(packed) : undefined;
}

export async function readCursor(redis: Redis, name: string): Promise<Cursor> {
  const found = await redis.hget(keys.CURSORS, name);
  const [position = 0, token = 0] = found?.split(' ').map(Number) ?? [];
  return { position, token };
}

async function callReadOnly(
  redis: Redis,
  name: string,
  named: readonly string[],
  args: readonly number[],
): Promise<Entry[]> {
  const call = [name, String(named.length), ...named, ...args.map(String)];
  return (await redis.callBuffer('FCALL_RO', call)) as Entry[];
}
