import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { type MemoryEvent, memoryStream } from '../../events/memory.ts';
import { defineCommand } from '../command.ts';
import { type UserMemory, userMemory } from './state.ts';

interface EraseConclusion {
  readonly conclusionId: string;
}

export const eraseConclusion = defineCommand<EraseConclusion, UserMemory>({
  name: 'memory.eraseConclusion',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide({ conclusions }, { conclusionId }): MemoryEvent[] {
    if (!entryOf(conclusions, conclusionId))
      throw new HarkError('CONCLUSION_UNKNOWN', { body: { conclusionId } });
    const data = { conclusionIds: [conclusionId], because: 'asked' } as const;
    return [{ type: 'memory.conclusions.erased', data }];
  },
});
