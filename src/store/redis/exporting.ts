import type { Redis } from 'ioredis';
import type { BesideLog, KeptKey, RawEvent } from '../adapter.ts';
import { refuseOutOfOrder } from '../importOrder.ts';
import * as keys from './keys.ts';
import { asBuffer, rowWithoutVersion, sealedOf } from './rows.ts';

const A_TIME = 1_000;

export async function exportBeside(redis: Redis): Promise<BesideLog> {
  const cursors = await redis.hgetall(keys.CURSORS);
  const commands = new Map<string, BesideLog['commands'][number]>();
  for await (const page of redis.hscanStream(keys.COMMANDS, { count: A_TIME })) {
    for (let index = 0; index < page.length; index += 2) {
      const id = String(page[index]);
      const [position = 0, version = 0, at = 0] = String(page[index + 1])
        .split(' ')
        .map(Number);
      commands.set(id, { id, position, version, at });
    }
  }
  return {
    meta: await redis.hgetall(keys.META),
    cursors: Object.entries(cursors).map(([name, cursor]) => ({
      name,
      position: Number.parseInt(cursor, 10),
    })),
    commands: [...commands.values()],
  };
}

export async function exportKeys(redis: Redis): Promise<KeptKey[]> {
  const users = new Set<string>();
  for await (const page of redis.scanStream({ match: keys.ALL_SUBJECT_KEYS, count: A_TIME }))
    for (const key of page) users.add(keys.userOfSubjectKeys(String(key)));
  const kept: KeptKey[] = [];
  for (const userId of users) {
    const subjects = await redis.hgetallBuffer(keys.subjectKeysKey(userId));
    for (const [subject, bytes] of Object.entries(subjects)) kept.push({ userId, subject, bytes });
  }
  return kept;
}

export async function importEvents(redis: Redis, events: readonly RawEvent[]): Promise<void> {
  const first = events[0];
  if (!first) return;
  // Where this log ends only the function knows.
  refuseOutOfOrder(events, first.position - 1);
  const named = [keys.LOG, keys.HEAD];
  const args: (string | Buffer)[] = [String(first.position)];
  for (const event of events) {
    named.push(keys.streamKey(event.stream), keys.userKey(event.userId));
    args.push(String(event.version), rowWithoutVersion(event.stream, event), sealedOf(event));
  }
  await redis.call('FCALL', ['hark_import', String(named.length), ...named, ...args]);
}

export async function importBeside(
  redis: Redis,
  { meta, cursors, commands }: BesideLog,
  kept: readonly KeptKey[],
): Promise<void> {
  for (const { userId, subject, bytes } of kept)
    await redis.hset(keys.subjectKeysKey(userId), subject, asBuffer(bytes));
  for (const { id, position, version, at } of commands.toSorted((one, other) => one.at - other.at)) {
    await redis.hset(keys.COMMANDS, id, `${position} ${version} ${at}`);
    await redis.rpush(keys.COMMAND_AGES, `${at} ${id}`);
  }
  for (const { name, position } of cursors) await redis.hset(keys.CURSORS, name, `${position} 1`);
  if (Object.keys(meta).length > 0) await redis.hset(keys.META, meta);
}
