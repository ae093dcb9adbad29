import { describe, it } from 'vitest';
import { abandonWork } from '../../../src/commands/system/abandonWork.ts';
import { workAbandoned } from '../../../src/events/system.ts';
import { given } from '../../support/given.ts';

const work = (position: number, attempts = 5) => ({ saga: 'mail', position, attempts, code: 'INTERNAL' });
const abandoned = (position: number) => ({ type: workAbandoned.type, data: work(position) });

describe('work of a saga', () => {
  it('is abandoned once for each event', () => {
    given(abandonWork).when(work(7)).gives(abandoned(7));
    given(abandonWork, abandoned(7)).when(work(8)).gives(abandoned(8));
    given(abandonWork, abandoned(7), abandoned(8)).when(work(7)).givesNothing();
  });

  it('stays abandoned, whatever is said of it the second time', () => {
    given(abandonWork, abandoned(7)).when(work(7, 9)).givesNothing();
  });
});
