/*
 * A process that appends to an embedded store with many callers at once, each of which prints what it was told
 * is durable, until it is killed. Output to a pipe is written before the next step, so nothing acknowledged is
 * missing there. Every event names the append that it is of, and how many events that has.
 */
import { flushCompileCache } from 'node:module';
import { isHarkError } from '../../src/errors.ts';
import type { NewEvent } from '../../src/events/definition.ts';
import { Log } from '../../src/store/log.ts';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { appendOf, counted, forget, noted, sampleCatalog } from '../store/sampleEvents.ts';
import { Random } from '../support/random.ts';
import { type Acknowledged, digestOf, erasedDigestOf } from './acknowledged.ts';

const CALLERS = 64;
const STREAMS = 40;
/** Users take turns with the system. */
const OWNERS = 5;
const NOTES = 30;
/** Those of a run overlap with those of the runs around it, which may not have lived to hear the answer. */
const COMMANDS_OF_RUN = 100;
const COMMANDS_ON_PER_RUN = 20;

const [directory = '', seed = '0', run = '0'] = process.argv.slice(2);
const random = new Random(Number(seed) * 100_000 + Number(run));
const store = await Log.open(await SqliteAdapter.open(directory), sampleCatalog);
let appends = 0;
// It is never there at its own end, when this would be done for it.
if (run === '1') flushCompileCache();
for (let caller = 0; caller < CALLERS; caller++) void appendForEver();

async function appendForEver(): Promise<void> {
  for (;;) {
    try {
      await appendOne();
    } catch (error) {
      // So many forgets at once that an append may find its key destroyed each time that it tries.
      if (!isHarkError(error, 'CONFLICT')) throw error;
    }
  }
}

async function appendOne(): Promise<void> {
  const id = `${run}-${appends++}`;
  const stream = `s${random.whole(0, STREAMS)}`;
  const owner = Number(stream.slice(1)) % OWNERS;
  const userId = owner === 0 ? null : `u${owner}`;
  const events = someEvents(id, userId);
  const firstCommand = Number(run) * COMMANDS_ON_PER_RUN;
  const commandId =
    random.next() < 0.2 ? `c${random.whole(firstCommand, firstCommand + COMMANDS_OF_RUN)}` : null;
  const { position, version, repeated } = await store.append(
    appendOf(stream, {
      events,
      userId,
      correlationId: id,
      causationId: `${events.length} ${commandId ?? ''}`,
      ...(commandId === null ? {} : { commandId }),
    }),
  );
  const acknowledged: Acknowledged = {
    id,
    stream,
    firstVersion: version - events.length + 1,
    count: events.length,
    position,
    digest: digestOf(events),
    erasedDigest: erasedDigestOf(events),
    commandId,
    repeated,
  };
  process.stdout.write(`${JSON.stringify(acknowledged)}\n`);
}

function someEvents(id: string, userId: string | null): readonly NewEvent[] {
  if (userId !== null && random.next() < 0.01) return forget(userId, someSubject()).events;
  const count = random.next() < 0.25 ? 3 : 1;
  return Array.from({ length: count }, (_, index) => someEvent(`${id} ${index}`, userId));
}

function someEvent(name: string, userId: string | null): NewEvent {
  if (userId === null || random.next() < 0.5)
    return { type: counted.type, data: { n: random.whole(0, 1_000_000) } };
  const text = `${name} ${'word '.repeat(random.whole(1, 60))}`;
  return { type: noted.type, data: { note: someNote(), text, words: text.split(' ').length } };
}

function someNote(): string {
  return `n${random.whole(0, NOTES)}`;
}

function someSubject(): string {
  return random.next() < 0.05 ? '*' : someNote();
}
