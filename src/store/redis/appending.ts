import type { AppendResult, RawAppend } from '../adapter.ts';
import type { Expected } from '../port.ts';
import * as keys from './keys.ts';
import type { RedisLink } from './link.ts';
import { asBuffer, rowWithoutVersion, sealedOf } from './rows.ts';

/** While Redis works on one group, the next is gathered and the one before is handed out. */
const GROUPS_IN_FLIGHT = 2;
/** A group holds Redis up for all others: this many appends take it about a millisecond. */
const MOST_IN_A_GROUP = 256;

interface Waiting {
  readonly append: RawAppend;
  resolve(result: AppendResult): void;
  reject(error: unknown): void;
}

/** Who appends: the id of the log that it means, and the name under which it publishes new heads. */
export interface Sender {
  readonly logId: string;
  readonly name: string;
}

/** Gathers what is appended in one turn of the loop into one function call, which judges each by itself. */
export class AppendGroups {
  readonly #link: RedisLink;
  readonly #sender: () => Sender;
  #queued: Waiting[] = [];
  #inFlight = 0;
  #flushing = false;

  constructor(link: RedisLink, sender: () => Sender) {
    this.#link = link;
    this.#sender = sender;
  }

  append(append: RawAppend): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      this.#queued.push({ append, resolve, reject });
      this.#flushSoon();
    });
  }

  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      while (this.#queued.length > 0 && this.#inFlight < GROUPS_IN_FLIGHT)
        void this.#send(this.#queued.splice(0, MOST_IN_A_GROUP));
    });
  }

  async #send(group: readonly Waiting[]): Promise<void> {
    this.#inFlight++;
    try {
      const call = functionCall(
        this.#sender(),
        group.map(({ append }) => append),
      );
      const reply = await this.#link.write((redis) => redis.call('FCALL', call));
      const figures = reply as readonly number[];
      group.forEach(({ append, resolve }, index) => {
        resolve(toResult(append, figures, index * 3));
      });
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.#inFlight--;
      if (this.#queued.length > 0) this.#flushSoon();
    }
  }
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
  return expected === 'new' ? '0' : String(expected);
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
    default:
      throw new TypeError(`The function library answered ${kind}`);
  }
}
