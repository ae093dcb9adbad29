import type { PastEvent } from '../../events/definition.ts';
import { entitiesStream } from '../../events/entities.ts';
import { memoryStream } from '../../events/memory.ts';
import { modelsStream } from '../../events/models.ts';
import { toolServersStream } from '../../events/tools.ts';
import type { EventReader } from '../../store/port.ts';
import type { UserProjection } from '../projection.ts';

/** Changes that came one after the other, from one version of their stream to another. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly firstVersion: number;
  readonly lastVersion: number;
  readonly count: number;
  /** Of a single change, the type of its event. */
  readonly type: string | null;
}

/** The newest changes one by one, what is older in stretches: its size does not grow with the log. */
export interface Activity {
  /** Events of the stream so far, and so the version of the last. */
  version: number;
  stretches: Stretch[];
}

const MOST = 512;
/** So many of the newest are never put together. */
const SINGLE = 128;
/** More than these are not taken apart at once. */
const MOST_APART = 2_000;

/** What changes nothing that readers see: vectors, and how work goes on. */
const quiet: ReadonlySet<string> = new Set([
  ...['memory.vectors.made', 'memory.conclusion.embedded', 'memory.profile.embedded'],
  ...['memory.consolidation.asked', 'memory.consolidation.deferred', 'memory.conversation.consolidated'],
  ...['memory.conversation.imported', 'memory.conversations.expired', 'memory.transcript.erased'],
  ...['memory.maintenance.started', 'memory.contradictions.sought', 'memory.maintenance.completed'],
  ...['memory.maintenance.failed', 'entities.relationships.embedded', 'entities.episodes.read'],
  ...['entities.reading.deferred', 'entities.episodes.expired'],
]);

export const memoryActivity = activityOf('memoryActivity', memoryStream);

/** All that a page may show otherwise at another moment. The last two are the same for everybody. */
export const activities = [
  memoryActivity,
  activityOf('entityActivity', entitiesStream),
  activityOf('toolActivity', toolServersStream),
  activityOf('modelActivity', modelsStream),
] as const;

function activityOf(name: string, stream: (userId: string) => string): UserProjection<Activity> {
  return {
    ...{ name, version: 1, stream },
    get initial(): Activity {
      return { version: 0, stretches: [] };
    },
    evolve(activity, event: PastEvent) {
      activity.version++;
      if (quiet.has(event.type)) return activity;
      activity.stretches.push(single(event, activity.version));
      if (activity.stretches.length > MOST) activity.stretches = coarser(activity.stretches);
      return activity;
    },
  };
}

function single({ type, at }: PastEvent, version: number): Stretch {
  return { from: at, to: at, firstVersion: version, lastVersion: version, count: 1, type };
}

/** Neighbours together, evenly over what is older: two that stay apart are more than a 128th of all. */
function coarser(all: readonly Stretch[]): Stretch[] {
  const older = all.slice(0, -SINGLE);
  const limit = (2 * older.reduce((sum, { count }) => sum + count, 0)) / (MOST / 2);
  const together: Stretch[] = [];
  for (const next of older) {
    const last = together.at(-1);
    if (last && last.count + next.count <= limit) together[together.length - 1] = joined(last, next);
    else together.push(next);
  }
  return [...together, ...all.slice(-SINGLE)];
}

/** Clocks may have been put back. */
function joined(one: Stretch, next: Stretch): Stretch {
  return {
    from: Math.min(one.from, next.from),
    to: Math.max(one.to, next.to),
    firstVersion: one.firstVersion,
    lastVersion: next.lastVersion,
    count: one.count + next.count,
    type: null,
  };
}

/** What there is between two moments, change by change unless that is very much. */
export async function takenApart(
  store: Pick<EventReader, 'readStream'>,
  stream: string,
  { stretches }: Activity,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly Stretch[]> {
  const within = stretches.filter((one) => one.to >= from && one.from <= to);
  const many = within.reduce((sum, { count }) => sum + count, 0);
  const [first, last] = [within.find(({ count }) => count > 1), within.findLast(({ count }) => count > 1)];
  if (many > MOST_APART || !first || !last) return within;
  const { firstVersion } = first;
  const single = within.filter(
    (one) => one.lastVersion < firstVersion || one.firstVersion > last.lastVersion,
  );
  const apart: Stretch[] = [];
  for await (const events of store.readStream(stream, { fromVersion: firstVersion })) {
    for (const { type, at, version } of events) {
      if (version > last.lastVersion) return inOrder([...single, ...apart]);
      if (quiet.has(type) || at < from || at > to) continue;
      apart.push({ from: at, to: at, firstVersion: version, lastVersion: version, count: 1, type });
    }
  }
  return inOrder([...single, ...apart]);
}

function inOrder(all: readonly Stretch[]): readonly Stretch[] {
  return all.toSorted((one, other) => one.firstVersion - other.firstVersion);
}
