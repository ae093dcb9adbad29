import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { type MemoryEvent, memoryStream } from '../../events/memory.ts';
import { defineCommand } from '../command.ts';
import { type UserMemory, userMemory } from './state.ts';

interface RestoreConclusion {
  readonly conclusionId: string;
}

/** Takes back what put a conclusion aside, while that is still kept; what stands beside it stays. */
export const restoreConclusion = defineCommand<RestoreConclusion, UserMemory>({
  name: 'memory.restoreConclusion',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide({ conclusions, aside }, { conclusionId }, { now }): MemoryEvent[] {
    const known = entryOf(conclusions, conclusionId);
    const { [conclusionId]: until = Number.POSITIVE_INFINITY } = aside;
    if (!known || known.status === 'active' || until <= now)
      throw new HarkError('CONCLUSION_UNKNOWN', { body: { conclusionId } });
    return [{ type: 'memory.conclusion.restored', data: { conclusionId } }];
  },
});
