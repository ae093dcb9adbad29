import { ask, type Output } from '../api/ask.ts';

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
  const [before, active, pruned, merged, profileBefore, profile] = await Promise.all([
    read('active', { at }),
    read('active'),
    read('pruned'),
    read('merged'),
    profileOf({ at }),
    profileOf({}),
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
  };
}

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
