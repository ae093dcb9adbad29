import { ask, type Output } from '../api/ask.ts';
import { MOST_EPISODES, newestEpisodes } from './episodes.ts';

export type Belief = Output<'GET /api/memory/conclusions'>['conclusions'][number];
type Status = Belief['status'];
type Profile = Output<'GET /api/memory/profile'>['profile'];

/** What is believed now of what was believed then, and the other way round. */
export interface Difference {
  readonly added: readonly Belief[];
  /** Believed then, and what it is now: undefined where it was erased. */
  readonly gone: readonly { readonly before: Belief; readonly now: Belief | undefined }[];
  readonly changed: readonly { readonly before: Belief; readonly now: Belief }[];
  readonly profile: readonly ProfileChange[];
  readonly others: readonly OtherChange[];
}

/** Of something that is no belief. What was not there, then or now, is undefined. */
export interface OtherChange {
  readonly area: 'entities' | 'episodes' | 'schedules' | 'settings';
  readonly id: string;
  readonly before: string | undefined;
  readonly now: string | undefined;
  /** Makes it as it was, and as it is, where the service can. */
  readonly set?: { readonly before: () => Promise<unknown>; readonly now: () => Promise<unknown> };
}

/** A field of the profile; undefined where it was not known. */
export interface ProfileChange {
  readonly field: keyof Profile;
  readonly before: Profile | undefined;
  readonly now: Profile | undefined;
}

export async function differenceSince(at: number, signal: AbortSignal): Promise<Difference> {
  const read = async (status: Status, past: { readonly at?: number } = {}) =>
    (await ask('GET /api/memory/conclusions', { status, ...past }, { signal })).conclusions;
  const profileOf = async (past: { readonly at?: number }) =>
    (await ask('GET /api/memory/profile', past, { signal })).profile;
  const [before, active, pruned, merged, profileBefore, profile, ...others] = await Promise.all([
    read('active', { at }),
    read('active'),
    read('pruned'),
    read('merged'),
    profileOf({ at }),
    profileOf({}),
    otherChanges('entities', at, entitiesOf, signal),
    otherChanges('episodes', at, episodesOf, signal),
    otherChanges('schedules', at, tasksOf, signal),
    otherChanges('settings', at, settingsOf, signal),
  ]);
  const byId = new Map([...active, ...pruned, ...merged].map((one) => [one.id, one]));
  const ids = new Set(before.map(({ id }) => id));
  const pairs = before.map((one) => ({ before: one, now: byId.get(one.id) }));
  return {
    added: active.filter(({ id }) => !ids.has(id)),
    gone: pairs.filter((one) => one.now?.status !== 'active'),
    changed: pairs.flatMap(({ before, now }) =>
      now?.status === 'active' && now.confidence !== before.confidence ? [{ before, now }] : [],
    ),
    profile: profileChanges(profileBefore, profile),
    others: others.flat(),
  };
}

type Past = { readonly at?: number };
/** What one thing is, and what makes it so again. */
interface Told {
  readonly id: string;
  readonly says: string;
  /** Of those of which only the newest are told. */
  readonly at?: number;
  readonly set?: () => Promise<unknown>;
}
type Read = (past: Past, options: { readonly signal: AbortSignal }) => Promise<readonly Told[]>;

async function otherChanges(
  area: OtherChange['area'],
  at: number,
  read: Read,
  signal: AbortSignal,
): Promise<readonly OtherChange[]> {
  const [allThen, allNow] = await Promise.all([read({ at }, { signal }), read({}, { signal })]);
  const since = Math.max(beginOf(allThen), beginOf(allNow));
  const [then, now] = [behind(allThen, since), behind(allNow, since)];
  const known = new Map(now.map((one) => [one.id, one]));
  const ids = new Set(then.map(({ id }) => id));
  const changed = then.flatMap(({ id, says, set }): OtherChange[] => {
    const is = known.get(id);
    if (is?.says === says) return [];
    const both = set && is?.set ? { set: { before: set, now: is.set } } : {};
    return [{ area, id, before: says, now: is?.says, ...both }];
  });
  const added = now.filter(({ id }) => !ids.has(id));
  return [...changed, ...added.map(({ id, says }) => ({ area, id, before: undefined, now: says }))];
}

/** Before it nobody has said what was there: more are not told. */
function beginOf(told: readonly Told[]): number {
  return told.length < MOST_EPISODES ? -1 : (told.at(-1)?.at ?? -1);
}

function behind(told: readonly Told[], since: number): readonly Told[] {
  return told.filter(({ at = Infinity }) => at > since);
}

const entitiesOf: Read = async (past, options) =>
  (await ask('GET /api/entities', past, options)).entities.map(({ id, name }) => ({
    id,
    says: name,
    set: () => ask('PUT /api/entities/:id', { id, name }),
  }));

const episodesOf: Read = async (past, options) =>
  (await newestEpisodes(past, options)).map(({ id, summary, timestamp }) => ({
    id,
    says: summary,
    at: timestamp,
  }));

const tasksOf: Read = async (past, options) =>
  (await ask('GET /api/scheduler/tasks', past, options)).tasks.map(({ id, name, status }) => {
    const says = `${name} (${status})`;
    if (status !== 'active' && status !== 'paused') return { id, says };
    return { id, says, set: () => ask('PUT /api/scheduler/tasks/:taskId', { taskId: id, status }) };
  });

const settingsOf: Read = async (past, options) =>
  Object.entries((await ask('GET /api/settings', past, options)).settings)
    // In capitals they are the other name of one that is among them too.
    .filter(([id]) => /^[a-z]/.test(id))
    .map(([id, { value, source }]) => ({
      id,
      says: `${id}: ${value}`,
      set: () => ask('PUT /api/settings', { [id]: source === 'runtime' ? value : null }),
    }));

const fields = ['name', 'communicationStyle', 'patterns', 'preferences'] as const;

function profileChanges(before: Profile, now: Profile): readonly ProfileChange[] {
  return fields.flatMap((field) => {
    if (JSON.stringify(before[field]) === JSON.stringify(now[field])) return [];
    return [{ field, before: onlyOf(before, field), now: onlyOf(now, field) }];
  });
}

/** One field alone, as it is written back. */
function onlyOf(profile: Profile, field: keyof Profile): Profile | undefined {
  return profile[field] === undefined ? undefined : { [field]: profile[field] };
}

/** The field as it is read. */
export function toldOf(profile: Profile | undefined, field: keyof Profile): string {
  const value = profile?.[field];
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join('; ');
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${one}`)
    .join('; ');
}
