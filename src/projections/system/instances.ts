import { readerOf } from '../../events/definition.ts';
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
export const instances = defineProjection({
  name: 'system.instances',
  version: 1,
  handles: [instanceStarted, instanceStopped, instanceLost],
  initial: (): InstancesState => ({ running: {} }),
  apply({ running }, event) {
    if (event.type === instanceStarted.type) {
      const { instanceId, version } = event.data;
      running[instanceId] = { instanceId, version, startedAt: event.at };
    } else {
      delete running[event.data.instanceId];
    }
  },
});

const readLife = readerOf([instanceStarted, instanceStopped, instanceLost]);

/** The instance that an event of this projection is about. */
export function instanceIn(event: StoredEvent): readonly string[] {
  const life = readLife(event);
  return life ? [life.data.instanceId] : [];
}

export function runningInstances(state: InstancesState): Instance[] {
  return Object.values(state.running);
}
