import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusion } from '../../folds/memory/conclusion.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { type Contradiction, pairOf } from '../../folds/memory/contradictions.ts';
import type { contradictionDecisions } from '../../vocabulary.ts';
import { supersede } from './findings.ts';
import { defineMemoryCommand } from './state.ts';

interface SettleContradiction {
  /** The one that is kept, where one is. */
  readonly conclusionId: string;
  readonly contradicts: string;
  readonly decision: (typeof contradictionDecisions)[number];
}

/**
 * A person says what is so of two that contradict each other. The decision before it is taken back first, so that each
 * can be changed into any other, and `open` leaves both as they were.
 */
export const settleContradiction = defineMemoryCommand<SettleContradiction>({
  name: 'memory.settleContradiction',
  decide(
    { conclusions, contradictions }: Conclusions,
    { conclusionId, contradicts, decision },
  ): readonly MemoryEvent[] {
    const contradiction = entryOf(contradictions, pairOf(conclusionId, contradicts));
    const [one, other] = [entryOf(conclusions, conclusionId), entryOf(conclusions, contradicts)];
    const unknown = new HarkError('CONTRADICTION_UNKNOWN', { body: { conclusionId, contradicts } });
    if (!contradiction || !one || !other) throw unknown;
    const { settled } = contradiction;
    const isOver = (id: string) =>
      settled !== null && conclusions[id]?.supersededBy === otherOf(contradiction, id);
    const restored = contradiction.ids.filter(isOver);
    const [first, second] = decision === 'in-their-time' ? newerFirst(one, other) : [one, other];
    const as = decision === 'keep' ? 'kept' : decision;
    const isOneSided = as === 'kept' || as === 'in-their-time';
    if (settled?.as === as && (!isOneSided || settled.conclusionId === first.id)) return [];
    if (!settled && as === 'open') return [];
    if (isOneSided && [one, other].some(({ id, status }) => status !== 'active' && !restored.includes(id)))
      throw unknown;
    return [
      ...restored.map((id) => ({
        type: 'memory.conclusion.restored' as const,
        data: { conclusionId: id },
      })),
      {
        type: 'memory.contradiction.settled',
        data: { conclusionId: first.id, contradicts: second.id, as },
      },
      ...(isOneSided ? [supersede(second.id, first.id, as === 'kept' ? 'corrected' : 'replaced')] : []),
    ];
  },
});

function otherOf({ ids: [one, other] }: Contradiction, id: string): string {
  return id === one ? other : one;
}

/** By when each was last heard of. */
function newerFirst(one: Conclusion, other: Conclusion): readonly [Conclusion, Conclusion] {
  const later = one.lastEvidenceAt - other.lastEvidenceAt || one.createdAt - other.createdAt;
  return later >= 0 ? [one, other] : [other, one];
}
