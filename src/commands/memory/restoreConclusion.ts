import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { defineMemoryCommand } from './state.ts';

interface RestoreConclusion {
  readonly conclusionId: string;
}

/** Takes back what put a conclusion aside, while that is still kept; what stands beside it stays. */
export const restoreConclusion = defineMemoryCommand<RestoreConclusion>({
  name: 'memory.restoreConclusion',
  decide({ conclusions, aside }: Conclusions, { conclusionId }, { now }): MemoryEvent[] {
    const known = entryOf(conclusions, conclusionId);
    const { [conclusionId]: until = Number.POSITIVE_INFINITY } = aside;
    if (!known || known.status === 'active' || until <= now)
      throw new HarkError('CONCLUSION_UNKNOWN', { body: { conclusionId } });
    return [{ type: 'memory.conclusion.restored', data: { conclusionId } }];
  },
});
