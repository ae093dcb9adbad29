import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { type MemoryEvent, memoryStream } from '../../events/memory.ts';
import { defineCommand } from '../command.ts';
import { supersede } from './findings.ts';
import { type UserMemory, userMemory } from './state.ts';

interface StateConclusion {
  readonly conclusionId: string;
  readonly text: string;
  readonly type: 'explicit' | 'corrected';
  readonly supersedes?: string | undefined;
}

/** The user says what is so, not in a conversation but of their memory itself. Nobody knows better. */
export const stateConclusion = defineCommand<StateConclusion, UserMemory>({
  name: 'memory.stateConclusion',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide({ conclusions }, { conclusionId, text, type, supersedes }): MemoryEvent[] {
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
