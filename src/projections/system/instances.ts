import { instanceLost, instanceStarted, instanceStopped } from '../../events/system.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { defineProjection } from '../projection.ts';

export interface Instance {
  readonly instanceId: string;
  readonly version: string;
  readonly startedAt: number;
}

interface InstancesState {
  readonly running: Record<string, Instance>;
}

/** The processes that started on this log and have not been seen to end. */
export const instances = defineProjection<InstancesState>({
  name: 'system.instances',
  version: 1,
  handles: [instanceStarted.type, instanceStopped.type, instanceLost.type],
  initial: () => ({ running: {} }),
  apply({ running }, event) {
    if (event.type === instanceStarted.type) {
      const { instanceId, version } = instanceStarted.data.parse(event.data);
      running[instanceId] = { instanceId, version, startedAt: event.at };
    } else {
      const { instanceId } = instanceStopped.data.parse(event.data);
      delete running[instanceId];
    }
  },
});

/** The instance that an event of this projection is about. */
export function instanceIn(event: StoredEvent): string {
  return event.type === instanceStarted.type
    ? instanceStarted.data.parse(event.data).instanceId
    : instanceStopped.data.parse(event.data).instanceId;
}

export function runningInstances(state: InstancesState): Instance[] {
  return Object.values(state.running);
}
