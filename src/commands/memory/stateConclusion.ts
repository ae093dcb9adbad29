import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { supersede } from './findings.ts';
import { defineMemoryCommand } from './state.ts';

interface StateConclusion {
  readonly conclusionId: string;
  readonly text: string;
  readonly type: 'explicit' | 'corrected';
  readonly supersedes?: string | undefined;
}

/** The user says what is so, not in a conversation but of their memory itself. Nobody knows better. */
export const stateConclusion = defineMemoryCommand<StateConclusion>({
  name: 'memory.stateConclusion',
  decide({ conclusions }: Conclusions, { conclusionId, text, type, supersedes }): MemoryEvent[] {
    const replaced = supersedes === undefined ? undefined : entryOf(conclusions, supersedes);
    if (supersedes !== undefined && replaced?.status !== 'active')
      throw new HarkError('CONCLUSION_UNKNOWN', { body: { conclusionId: supersedes } });
    const about = replaced?.about ?? null;
    const drawn = {
      conclusionId,
      text,
      type,
      about,
      confidence: 1,
      sources: [],
      turnIds: [],
      by: 'user',
    } as const;
    return [
      { type: 'memory.conclusion.drawn', data: drawn },
      ...(supersedes === undefined ? [] : [supersede(supersedes, conclusionId)]),
    ];
  },
});
