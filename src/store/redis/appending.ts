import type { Redis } from 'ioredis';
import type { AppendResult, RawAppend } from '../adapter.ts';
import type { Expected } from '../port.ts';
import * as keys from './keys.ts';
import { asBuffer, rowWithoutVersion, sealedOf } from './rows.ts';

/** Who appends: the id of the log that it means, and the name under which it publishes new heads. */
export interface Sender {
  readonly logId: string;
  readonly name: string;
}

/** One function call for all of them, which judges each by itself. */
export async function appendTogether(
  redis: Redis,
  sender: Sender,
  appends: readonly RawAppend[],
): Promise<AppendResult[]> {
  const figures = (await redis.call('FCALL', functionCall(sender, appends))) as readonly number[];
  return appends.map((append, index) => toResult(append, figures, index * 3));
}

/** The order of keys and arguments is told in the library. */
function functionCall({ logId, name }: Sender, appends: readonly RawAppend[]): (string | Buffer)[] {
  const named = [
    keys.LOG,
    keys.META,
    keys.COMMANDS,
    keys.COMMAND_AGES,
    keys.FORGETS,
    keys.UNPURGED,
    keys.snapshotsKey(null),
    keys.HEAD,
    keys.TURNS,
  ];
  const args: (string | Buffer)[] = [logId, keys.HEADS, name, String(appends.length)];
  for (const append of appends) {
    const { stream, userId, commandId, at, events } = append;
    // Keys belong to a user; what belongs to none has nothing to seal or to forget.
    const used = userId === null ? [] : append.keys;
    const forgets = userId === null ? [] : append.forgets;
    named.push(keys.streamKey(stream), keys.userKey(userId));
    if (userId !== null && used.length + forgets.length > 0)
      named.push(keys.subjectKeysKey(userId), keys.snapshotsKey(userId));
    args.push(expectation(append.expected), commandId ?? '', String(at), userId ?? '');
    args.push(String(events.length), String(used.length), String(forgets.length));
    for (const { subject, bytes, madeAfter } of used)
      args.push(subject, asBuffer(bytes), madeAfter === null ? '' : String(madeAfter));
    args.push(...forgets);
    for (const event of events) args.push(rowWithoutVersion(stream, event), sealedOf(event));
  }
  return ['hark_append', String(named.length), ...named, ...args];
}

function expectation(expected: Expected): string {
  if (expected === 'any') return '-1';
  if (expected === 'exists') return '-2';
  return expected === 'new' ? '-3' : String(expected);
}

function toResult({ keys: used }: RawAppend, figures: readonly number[], at: number): AppendResult {
  const [kind = -1, first = 0, second = 0] = figures.slice(at, at + 3);
  switch (kind) {
    case 0:
      return { kind: 'appended', first, version: second };
    case 1:
      return { kind: 'repeated', position: first, version: second };
    case 2:
      return { kind: 'conflict', version: first };
    case 3:
      return { kind: 'stale-key', subject: used[first]?.subject ?? '' };
    case 4:
      return { kind: 'others-turn' };
    default:
      throw new TypeError(`The function library answered ${kind}`);
  }
}
