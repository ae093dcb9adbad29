import { entryOf } from '../../entryOf.ts';
import { type Conclusion, change } from './conclusion.ts';

type Evidence = Pick<Conclusion, 'sources' | 'turnIds' | 'lastEvidenceAt'>;

/** What a conclusion had itself, and what others brought that were merged into it. */
interface Absorbed {
  own: Evidence;
  readonly others: Record<string, Evidence>;
}

/** By the conclusion that stayed. */
export type AbsorbedByWinner = Record<string, Absorbed>;

interface Believed {
  readonly conclusions: Record<string, Conclusion>;
  readonly absorbed: AbsorbedByWinner;
}

/** One takes the evidence of another. Thousands may go to the same one: what it has is not gone through for each. */
export function absorb({ conclusions, absorbed }: Believed, winnerId: string, loserId: string, at: number) {
  const [winner, loser] = [conclusions[winnerId], conclusions[loserId]];
  if (!winner || !loser) return;
  const taken = entryOf(absorbed, winnerId) ?? { own: evidenceOf(winner), others: {} };
  taken.others[loserId] = evidenceOf(loser);
  absorbed[winnerId] = taken;
  change(conclusions, winnerId, at, {
    sources: joined(winner.sources, loser.sources),
    turnIds: joined(winner.turnIds, loser.turnIds),
    lastEvidenceAt: Math.max(winner.lastEvidenceAt, loser.lastEvidenceAt),
    stale: winner.stale && loser.stale,
  });
}

/** One gives back what another brought, and so does whoever took it from there in turn. */
export function giveBack({ conclusions, absorbed }: Believed, winnerId: string, loserId: string, at: number) {
  const taken = entryOf(absorbed, winnerId);
  if (!taken || !Object.hasOwn(taken.others, loserId)) return;
  delete taken.others[loserId];
  change(conclusions, winnerId, at, together(taken));
  let given = conclusions[winnerId];
  while (given && given.supersededBy !== null) {
    const { id, supersededBy: next } = given;
    const further = entryOf(absorbed, next);
    if (!further || !Object.hasOwn(further.others, id)) return;
    further.others[id] = evidenceOf(given);
    change(conclusions, next, at, together(further));
    given = conclusions[next];
  }
}

/** There is more evidence of a conclusion: its own, and not of what was merged into it. */
export function addOwnEvidence(absorbed: AbsorbedByWinner, known: Conclusion, now: Evidence): void {
  const before = entryOf(absorbed, known.id);
  if (!before) return;
  const own = {
    sources: [...before.own.sources, ...beyond(known.sources, now.sources)],
    turnIds: [...before.own.turnIds, ...beyond(known.turnIds, now.turnIds)],
    lastEvidenceAt: Math.max(before.own.lastEvidenceAt, now.lastEvidenceAt),
  };
  absorbed[known.id] = { ...before, own };
}

/** As it is told of each conclusion by itself: what it had before it took from others, or that another took from it. */
interface Part {
  readonly own?: Evidence;
  readonly isAbsorbed?: true;
}

export function partIn({ conclusions, absorbed }: Believed, { id, supersededBy }: Conclusion): Part {
  const taken = entryOf(absorbed, id);
  const winner = supersededBy === null ? undefined : entryOf(absorbed, supersededBy);
  // What was erased since cannot be given back any more.
  const erased = Object.entries(taken?.others ?? {}).filter(([other]) => !Object.hasOwn(conclusions, other));
  return {
    ...(taken ? { own: together({ own: taken.own, others: Object.fromEntries(erased) }) } : {}),
    ...(winner && Object.hasOwn(winner.others, id) ? { isAbsorbed: true } : {}),
  };
}

/** The other half may come later, or have been there before. */
export function takePart({ conclusions, absorbed }: Believed, known: Conclusion, { own, isAbsorbed }: Part) {
  const taken = entryOf(absorbed, known.id);
  if (taken) taken.own = own ?? evidenceOf(known);
  else if (own) absorbed[known.id] = { own, others: {} };
  if (!isAbsorbed || known.supersededBy === null) return;
  const before = entryOf(absorbed, known.supersededBy);
  // One that was there and took nothing has nothing to give back.
  if (!before && Object.hasOwn(conclusions, known.supersededBy)) return;
  const { own: placeholder, others } = before ?? { own: evidenceOf(known), others: {} };
  absorbed[known.supersededBy] = { own: placeholder, others };
  others[known.id] = evidenceOf(known);
}

function evidenceOf({ sources, turnIds, lastEvidenceAt }: Conclusion): Evidence {
  return { sources, turnIds, lastEvidenceAt };
}

function together({ own, others }: Absorbed): Evidence {
  const all = [own, ...Object.values(others)];
  return {
    sources: [...new Set(all.flatMap(({ sources }) => sources))],
    turnIds: [...new Set(all.flatMap(({ turnIds }) => turnIds))],
    lastEvidenceAt: all.reduce((latest, { lastEvidenceAt }) => Math.max(latest, lastEvidenceAt), 0),
  };
}

/** What is in a list, for the lists that grew last by joining. */
const members = new WeakMap<readonly string[], Set<string>>();

function joined(some: readonly string[], more: readonly string[]): readonly string[] {
  const set = members.get(some) ?? new Set(some);
  const added = more.filter((one) => {
    const isNew = !set.has(one);
    set.add(one);
    return isNew;
  });
  if (added.length === 0) return some;
  const all = [...some, ...added];
  members.delete(some);
  members.set(all, set);
  return all;
}

function beyond(some: readonly string[], more: readonly string[]): readonly string[] {
  const before = new Set(some);
  return more.filter((one) => !before.has(one));
}
