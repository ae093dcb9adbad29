import { entryOf } from '../../entryOf.ts';
import type { Standing } from '../../events/conclusions.ts';
import type { MemoryDataOf, MemoryEvent } from '../../events/memory.ts';
import { type AbsorbedByWinner, absorb, addOwnEvidence, giveBack, partIn, takePart } from './absorbed.ts';
import { type Conclusion, change } from './conclusion.ts';
import {
  type ContradictionsByPair,
  forgetContradictions,
  oppose,
  opposeByLink,
  settle,
  takeContradiction,
} from './contradictions.ts';

/** What is believed of a user, what was before, and what became of that. */
export interface Conclusions {
  readonly conclusions: Record<string, Conclusion>;
  readonly absorbed: AbsorbedByWinner;
  /** By conclusion that a sweep or the user put aside, until when it can be restored. */
  readonly aside: Record<string, number>;
  /** By conclusion, when somebody last took it back. */
  readonly restored: Record<string, number>;
  readonly contradictions: ContradictionsByPair;
}

export function noConclusions(): Conclusions {
  return { conclusions: {}, absorbed: {}, aside: {}, restored: {}, contradictions: {} };
}

/** What an event means for what is believed. Changes it in place; other events mean nothing here. */
export function applyToConclusions(known: Conclusions, event: MemoryEvent, at: number): void {
  const { conclusions } = known;
  switch (event.type) {
    case 'memory.conclusion.drawn':
      if (event.data.text !== null) draw(known, event.data, at);
      return;
    case 'memory.conclusion.strengthened':
      strengthen(known, event.data, at);
      return;
    case 'memory.conclusion.superseded': {
      const { conclusionId, supersededBy } = event.data;
      change(conclusions, conclusionId, at, { status: 'merged', supersededBy });
      return;
    }
    case 'memory.conclusion.restored':
      restore(known, event.data, at);
      return;
    case 'memory.conclusions.erased':
      for (const id of event.data.conclusionIds) forget(known, id);
      return;
    case 'memory.conclusion.flagged':
      change(conclusions, event.data.conclusionId, at, { stale: event.data.stale });
      return;
    case 'memory.conclusion.decayed':
      change(conclusions, event.data.conclusionId, at, { confidence: event.data.to });
      return;
    case 'memory.conclusion.merged':
      merge(known, event.data, at);
      return;
    case 'memory.conclusion.contradicted':
      oppose(known, [event.data.conclusionId, event.data.contradicts], at);
      return;
    case 'memory.contradiction.detected':
      oppose(known, [event.data.conclusionId, event.data.contradicts], at, event.data.evidence);
      return;
    case 'memory.contradiction.settled':
      settle(known, event.data, at);
      return;
    case 'memory.contradiction.imported':
      takeContradiction(known, event.data, at);
      return;
    case 'memory.conclusions.dismissed':
      for (const id of event.data.conclusionIds) putAside(known, id, event.data.restorableUntil, at);
      return;
    case 'memory.conclusion.pruned':
      putAside(known, event.data.conclusionId, event.data.restorableUntil, at);
      return;
    case 'memory.erased':
      Object.assign(known, noConclusions());
  }
}

/** What sweeps left of a conclusion; undefined where they have not touched it. */
export function tendedOf(all: Conclusions, known: Conclusion): Standing['tended'] {
  const restorableUntil = entryOf(all.aside, known.id);
  const restoredAt = entryOf(all.restored, known.id);
  const tended = {
    ...(restorableUntil === undefined ? {} : { restorableUntil }),
    ...(restoredAt === undefined ? {} : { restoredAt }),
    ...partIn(all, known),
  };
  return Object.keys(tended).length === 0 ? undefined : tended;
}

function draw(
  all: Conclusions,
  { conclusionId: id, saidAt, standing, ...data }: MemoryDataOf<'memory.conclusion.drawn'>,
  at: number,
): void {
  const times = { createdAt: at, updatedAt: at, lastEvidenceAt: saidAt ?? at };
  const anew = { ...times, stale: false, status: 'active', supersededBy: null, contradicts: [] } as const;
  const { tended, ...stands } = standing ?? { ...anew, tended: undefined };
  const conclusion = { id, ...data, ...stands };
  all.conclusions[id] = conclusion;
  if (standing) takeOver(all, conclusion, tended ?? {});
}

/** How a conclusion that comes from another memory stood there. */
function takeOver(
  all: Conclusions,
  known: Conclusion,
  { restorableUntil, restoredAt, ...part }: NonNullable<Standing['tended']>,
): void {
  if (restorableUntil !== undefined) all.aside[known.id] = restorableUntil;
  if (restoredAt !== undefined) all.restored[known.id] = restoredAt;
  takePart(all, known, part);
  for (const other of known.contradicts) opposeByLink(all, [known.id, other], known.updatedAt);
}

function strengthen(
  { conclusions, absorbed }: Conclusions,
  { conclusionId, confidence, sources, turnIds, saidAt }: MemoryDataOf<'memory.conclusion.strengthened'>,
  at: number,
): void {
  const conclusion = conclusions[conclusionId];
  if (!conclusion) return;
  const foundAt = saidAt ?? at;
  const evidence = { sources, turnIds, lastEvidenceAt: Math.max(conclusion.lastEvidenceAt, foundAt) };
  const stale = conclusion.stale && foundAt <= conclusion.lastEvidenceAt;
  addOwnEvidence(absorbed, conclusion, { ...evidence, lastEvidenceAt: foundAt });
  change(conclusions, conclusionId, at, { confidence, ...evidence, stale });
}

function putAside({ conclusions, aside }: Conclusions, id: string, until: number, at: number): void {
  if (!conclusions[id]) return;
  aside[id] = until;
  change(conclusions, id, at, { status: 'pruned' });
}

/** Takes back what put a conclusion aside: what it brought along leaves with it, everything else stays. */
function restore(
  all: Conclusions,
  { conclusionId: id, confidence }: MemoryDataOf<'memory.conclusion.restored'>,
  at: number,
): void {
  const conclusion = all.conclusions[id];
  if (!conclusion) return;
  if (conclusion.supersededBy !== null) giveBack(all, conclusion.supersededBy, id, at);
  delete all.aside[id];
  all.restored[id] = at;
  const raised = confidence === undefined ? {} : { confidence };
  change(all.conclusions, id, at, { status: 'active', supersededBy: null, stale: false, ...raised });
}

/** It is not there any more, for nobody. */
function forget(all: Conclusions, id: string): void {
  const { conclusions, absorbed, aside, restored } = all;
  forgetContradictions(all, id);
  delete conclusions[id];
  delete absorbed[id];
  delete aside[id];
  delete restored[id];
}

function merge(
  all: Conclusions,
  { conclusionId, mergedInto, restorableUntil }: MemoryDataOf<'memory.conclusion.merged'>,
  at: number,
): void {
  if (!all.conclusions[conclusionId] || !all.conclusions[mergedInto]) return;
  absorb(all, mergedInto, conclusionId, at);
  all.aside[conclusionId] = restorableUntil;
  change(all.conclusions, conclusionId, at, { status: 'merged', supersededBy: mergedInto });
}
