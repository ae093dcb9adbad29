import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { defineMemoryCommand } from './state.ts';

interface EraseConclusion {
  readonly conclusionId: string;
}

export const eraseConclusion = defineMemoryCommand<EraseConclusion>({
  name: 'memory.eraseConclusion',
  decide({ conclusions }: Conclusions, { conclusionId }): MemoryEvent[] {
    if (!entryOf(conclusions, conclusionId))
      throw new HarkError('CONCLUSION_UNKNOWN', { body: { conclusionId } });
    const data = { conclusionIds: [conclusionId], because: 'asked' } as const;
    return [{ type: 'memory.conclusions.erased', data }];
  },
});
