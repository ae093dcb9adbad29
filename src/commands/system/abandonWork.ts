import { isEvent, type NewEvent } from '../../events/definition.ts';
import { type SystemEvent, workAbandoned } from '../../events/system.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import { defineCommand } from '../command.ts';

interface AbandonWork {
  readonly saga: string;
  readonly position: number;
  readonly attempts: number;
  readonly code: string;
}

/** How far a saga has given up events: each is given up once, however often that is said. */
const abandonedWork: StreamFold<readonly number[]> = {
  name: 'abandonedWork',
  version: 1,
  initial: [],
  evolve(state, event: NewEvent) {
    return isEvent(event, workAbandoned) ? [...state, event.data.position] : state;
  },
};

export const abandonWork = defineCommand({
  name: 'system.abandonWork',
  state: abandonedWork,
  scope: 'system',
  stream: ({ saga }: AbandonWork) => `saga-${saga}`,
  decide(abandoned, work: AbandonWork): SystemEvent[] {
    return abandoned.includes(work.position) ? [] : [{ type: workAbandoned.type, data: work }];
  },
});
