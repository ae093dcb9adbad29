import { entryOf } from '../../../entryOf.ts';
import type { PipelineFigures } from '../../../events/maintenance.ts';
import type { MemoryDataOf, MemoryEvent } from '../../../events/memory.ts';
import type { Conclusions } from '../../../folds/memory/conclusions.ts';
import { pairOf } from '../../../folds/memory/contradictions.ts';
import { defineMemoryCommand } from '../state.ts';
import type { Maintained } from '../upkeep.ts';

type Contradiction = Omit<MemoryDataOf<'memory.contradiction.detected'>, 'sweepId'>;

interface NoteContradictions {
  readonly sweepId: string;
  readonly confirmed: readonly Contradiction[];
  readonly pipeline: PipelineFigures;
}

/** Step 5: says each contradiction once for ever, whichever side it was found from. */
export const noteContradictions = defineMemoryCommand<NoteContradictions>({
  name: 'memory.noteContradictions',
  decide(
    { conclusions, contradictions, upkeep }: Conclusions & Maintained,
    { sweepId, confirmed, pipeline },
  ): readonly MemoryEvent[] {
    if (upkeep.sweep?.sweepId !== sweepId) return [];
    const isNew = ({ conclusionId, contradicts }: Contradiction) => {
      const [one, other] = [entryOf(conclusions, conclusionId), entryOf(conclusions, contradicts)];
      const isKnown = entryOf(contradictions, pairOf(conclusionId, contradicts)) !== undefined;
      return one !== undefined && other !== undefined && !isKnown;
    };
    const detected = firstOfEachPair(confirmed.filter(isNew));
    return [
      ...detected.map((data) => ({
        type: 'memory.contradiction.detected' as const,
        data: { sweepId, ...data },
      })),
      { type: 'memory.contradictions.sought', data: { sweepId, pipeline } },
    ];
  },
});

function firstOfEachPair(all: readonly Contradiction[]): readonly Contradiction[] {
  const first = new Map<string, Contradiction>();
  for (const one of all) {
    const pair = pairOf(one.conclusionId, one.contradicts);
    if (!first.has(pair)) first.set(pair, one);
  }
  return Array.from(first.values());
}
