import { type Command, Option } from 'commander';
import { z } from 'zod';
import { readConfig } from '../../config.ts';
import { eventCatalog } from '../../events/catalog.ts';
import type { StoreAdapter } from '../../store/adapter.ts';
import { Log } from '../../store/log.ts';
import { openReadOnly } from '../../store/open.ts';
import type { EventReader, Position, Snapshots } from '../../store/port.ts';
import { positionAt } from '../../store/positionAt.ts';
import { CliFailure, saying } from './failure.ts';
import type { Moment } from './moment.ts';
import { readOptions } from './options.ts';

const optionsSchema = z.object({
  dataDir: z.string().min(1, 'must not be empty').optional(),
  kvstoreUrl: z.string().min(1, 'must not be empty').optional(),
});

/** Where a log lies, as the options or else the environment name it. */
export interface LogPlace {
  readonly url: string;
  readonly dataDirectory: string;
}

export function addLogOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--data-dir <folder>', 'data directory with the log (default: SERVICE_DATA_DIR)').conflicts(
        'kvstoreUrl',
      ),
    )
    .option('--kvstore-url <url>', 'Redis with the log (default: SERVICE_KVSTORE_URL)');
}

/** Only what names the log is read: other variables may be wrong here without harm. */
export function logPlace(command: Command): LogPlace {
  const { SERVICE_DATA_DIR, SERVICE_KVSTORE_URL, SERVICE_KVSTORE_URL_FILE } = process.env;
  const { dataDir, kvstoreUrl } = readOptions(command, optionsSchema);
  const named = dataDir === undefined ? kvstoreUrl : 'embedded';
  const config = readConfig({
    SERVICE_DATA_DIR: dataDir ?? SERVICE_DATA_DIR,
    ...(named === undefined
      ? { SERVICE_KVSTORE_URL, SERVICE_KVSTORE_URL_FILE }
      : { SERVICE_KVSTORE_URL: named }),
  });
  return { url: config.SERVICE_KVSTORE_URL, dataDirectory: config.SERVICE_DATA_DIR };
}

/** Where it lies, in words. Never the password of a Redis. */
export function describePlace({ url, dataDirectory }: LogPlace): string {
  return url === 'embedded' ? dataDirectory : url.replace(/\/\/[^@/]*@/, '//');
}

export interface OpenLog {
  readonly adapter: StoreAdapter;
  readonly store: EventReader & Snapshots;
  readonly head: Position;
}

/** Opens a log for one look at it, and closes it again. */
export async function withLog<Result>(
  place: LogPlace,
  look: (log: OpenLog) => Promise<Result>,
): Promise<Result> {
  const subject = describePlace(place);
  const adapter = await saying(subject, () => openReadOnly(place.url, place.dataDirectory));
  try {
    const store = await saying(subject, () => Log.open(adapter, eventCatalog));
    return await look({ adapter, store, head: await store.head() });
  } finally {
    await adapter.close();
  }
}

export interface LogMoment {
  readonly position: Position;
  /** When the event at that position happened; `null` before the first. */
  readonly at: number | null;
}

/** The clock of who looks may be another than that of who wrote: now is the end of the log. */
async function positionOf(
  { adapter, head }: Pick<OpenLog, 'adapter' | 'head'>,
  moment: Moment,
): Promise<Position> {
  switch (moment.kind) {
    case 'now':
      return head;
    case 'position':
      return moment.position;
    case 'time':
      return positionAt(adapter, head, moment.at);
  }
}

export async function findMoment({ adapter, head }: OpenLog, moment: Moment): Promise<LogMoment> {
  const position = await positionOf({ adapter, head }, moment);
  if (position > head)
    throw new CliFailure(`Position ${position} does not exist yet: the newest event is at ${head}`);
  const [event] = await adapter.readAll({ after: position - 1, until: position, limit: 1 });
  return { position, at: position > 0 && event ? event.at : null };
}
