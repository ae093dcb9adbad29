import type { NewEvent } from '../../events/definition.ts';
import { instanceLost, instanceStarted, instanceStopped } from '../../events/system.ts';
import type { StreamFold } from '../../folds/streamFold.ts';

/** One process's life: it starts once, and ends once, in one of two ways. */
export type InstanceState = 'unknown' | 'running' | 'stopped' | 'lost';

export const instanceState: StreamFold<InstanceState> = {
  name: 'instance',
  version: 1,
  initial: 'unknown',
  evolve(state: InstanceState, event: NewEvent): InstanceState {
    switch (event.type) {
      case instanceStarted.type:
        return 'running';
      case instanceStopped.type:
        return 'stopped';
      case instanceLost.type:
        return 'lost';
      default:
        return state;
    }
  },
};

export function instanceStream({ instanceId }: { instanceId: string }): string {
  return `instance-${instanceId}`;
}
