import type { Settlement } from '../../events/conclusions.ts';
import type { MemoryDataOf } from '../../events/memory.ts';
import { type Conclusion, change } from './conclusion.ts';

/** Two conclusions of which somebody or something said that not both can be so. */
export interface Contradiction {
  readonly ids: readonly [string, string];
  readonly at: number;
  /** What a sweep found it by; null where it was found in a conversation, or elsewhere. */
  readonly evidence: MemoryDataOf<'memory.contradiction.detected'>['evidence'] | null;
  /** What a person said of it, and of which of the two. */
  readonly settled: {
    readonly as: Exclude<Settlement, 'open'>;
    readonly conclusionId: string;
    readonly at: number;
  } | null;
  /** Known by the links of conclusions that were imported: what else is known of it may come. */
  readonly isLinkOnly?: true;
}

/** By pair. */
export type ContradictionsByPair = Record<string, Contradiction>;

interface Opposed {
  readonly conclusions: Record<string, Conclusion>;
  readonly contradictions: ContradictionsByPair;
}

/** The same from whichever side. */
export function pairOf(one: string, other: string): string {
  return JSON.stringify([one, other].sort());
}

/** Says it of both. Where a person has said that it is none, that stands. */
export function oppose(
  all: Opposed,
  ids: readonly [string, string],
  at: number,
  evidence: Contradiction['evidence'] = null,
): void {
  if (ids.some((id) => !Object.hasOwn(all.conclusions, id))) return;
  const pair = pairOf(...ids);
  const contradiction = Object.hasOwn(all.contradictions, pair) ? all.contradictions[pair] : undefined;
  if (contradiction?.settled?.as === 'no-contradiction') return;
  if (!contradiction || (evidence && !contradiction.evidence))
    all.contradictions[pair] = { settled: contradiction?.settled ?? null, ids, at, evidence };
  link(all, ids, at);
}

export function settle(
  all: Opposed,
  { conclusionId, contradicts, as }: MemoryDataOf<'memory.contradiction.settled'>,
  at: number,
): void {
  const pair = pairOf(conclusionId, contradicts);
  const contradiction = all.contradictions[pair];
  if (!contradiction) return;
  const { isLinkOnly: _, ...found } = contradiction;
  all.contradictions[pair] = { ...found, settled: as === 'open' ? null : { as, conclusionId, at } };
  if (as === 'no-contradiction') unlink(all, contradiction.ids, at);
  else link(all, contradiction.ids, at);
}

/** One that was imported says that it contradicts another. */
export function opposeByLink(all: Opposed, ids: readonly [string, string], at: number): void {
  const pair = pairOf(...ids);
  const isKnown = Object.hasOwn(all.contradictions, pair);
  oppose(all, ids, at);
  const contradiction = all.contradictions[pair];
  if (contradiction && !isKnown) all.contradictions[pair] = { ...contradiction, isLinkOnly: true };
}

/** Whether nothing more can be learned of the two from an import. */
export function isToldOf({ contradictions }: Pick<Opposed, 'contradictions'>, pair: string): boolean {
  const known = Object.hasOwn(contradictions, pair) ? contradictions[pair] : undefined;
  return known !== undefined && !known.isLinkOnly;
}

/** It comes from another memory, where somebody may have said what is so. What is said of the two here stays. */
export function takeContradiction(
  all: Opposed,
  { conclusionId, contradicts, foundAt, evidence, settled }: MemoryDataOf<'memory.contradiction.imported'>,
  at: number,
): void {
  const ids = [conclusionId, contradicts] as const;
  const pair = pairOf(...ids);
  const isThere = ids.every((id) => Object.hasOwn(all.conclusions, id));
  if (!isThere || isToldOf(all, pair)) return;
  all.contradictions[pair] = { ids, at: foundAt, evidence, settled };
  if (settled?.as === 'no-contradiction') unlink(all, ids, at);
  else link(all, ids, at);
}

/** One of them is not there any more. */
export function forgetContradictions({ conclusions, contradictions }: Opposed, id: string): void {
  for (const [pair, { ids }] of Object.entries(contradictions)) {
    if (!ids.includes(id)) continue;
    delete contradictions[pair];
    for (const other of ids) {
      const opposed = conclusions[other];
      if (opposed)
        conclusions[other] = { ...opposed, contradicts: opposed.contradicts.filter((one) => one !== id) };
    }
  }
}

function link({ conclusions }: Opposed, [one, other]: readonly [string, string], at: number): void {
  for (const [id, opposite] of [
    [one, other],
    [other, one],
  ] as const) {
    const opposed = conclusions[id]?.contradicts ?? [];
    if (!opposed.includes(opposite)) change(conclusions, id, at, { contradicts: [...opposed, opposite] });
  }
}

function unlink({ conclusions }: Opposed, [one, other]: readonly [string, string], at: number): void {
  for (const [id, opposite] of [
    [one, other],
    [other, one],
  ] as const) {
    const opposed = conclusions[id]?.contradicts ?? [];
    if (opposed.includes(opposite))
      change(conclusions, id, at, { contradicts: opposed.filter((each) => each !== opposite) });
  }
}
