import type { ContradictionPipeline } from '../../../events/maintenance.ts';
import type { MemoryEvent } from '../../../events/memory.ts';
import { defineCommand } from '../../command.ts';
import type { DataOf } from '../remembered.ts';
import { entryOf, memoryStream, type UserMemory, userMemory } from '../state.ts';

type Contradiction = Omit<DataOf<'memory.contradiction.detected'>, 'sweepId'>;

interface NoteContradictions {
  readonly sweepId: string;
  readonly confirmed: readonly Contradiction[];
  readonly pipeline: ContradictionPipeline;
}

/** Step 5: says each contradiction once for ever, whichever side it was found from. */
export const noteContradictions = defineCommand<NoteContradictions, UserMemory>({
  name: 'memory.noteContradictions',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide({ conclusions, upkeep }, { sweepId, confirmed, pipeline }): readonly MemoryEvent[] {
    if (upkeep.sweep?.sweepId !== sweepId) return [];
    const isNew = ({ conclusionId, contradicts }: Contradiction) => {
      const [one, other] = [entryOf(conclusions, conclusionId), entryOf(conclusions, contradicts)];
      return one !== undefined && other !== undefined && !one.contradicts.includes(contradicts);
    };
    const detected = confirmed.filter(isNew).filter(isFirstOfPair);
    return [
      ...detected.map((data) => ({
        type: 'memory.contradiction.detected' as const,
        data: { sweepId, ...data },
      })),
      { type: 'memory.contradictions.sought', data: { sweepId, pipeline } },
    ];
  },
});

function isFirstOfPair(one: Contradiction, index: number, all: readonly Contradiction[]): boolean {
  const pair = pairOf(one);
  return all.findIndex((other) => pairOf(other) === pair) === index;
}

function pairOf({ conclusionId, contradicts }: Contradiction): string {
  return JSON.stringify([conclusionId, contradicts].sort());
}
