import type { NewEvent } from '../../events/definition.ts';
import { instanceLost, instanceStarted, instanceStopped, type SystemEvent } from '../../events/system.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import { defineCommand } from '../command.ts';

/** One process's life: it starts once, and ends once, in one of two ways. */
type InstanceState = 'unknown' | 'running' | 'stopped' | 'lost';

const instanceState: StreamFold<InstanceState> = {
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

function instanceStream({ instanceId }: { instanceId: string }): string {
  return `instance-${instanceId}`;
}

interface StartInstance {
  readonly instanceId: string;
  readonly version: string;
  readonly pid: number;
}

export const startInstance = defineCommand<StartInstance, InstanceState>({
  name: 'system.startInstance',
  state: instanceState,
  scope: 'system',
  stream: instanceStream,
  decide(state, { instanceId, version, pid }): SystemEvent[] {
    return state === 'unknown' ? [{ type: instanceStarted.type, data: { instanceId, version, pid } }] : [];
  },
});

export const stopInstance = defineCommand({
  name: 'system.stopInstance',
  state: instanceState,
  scope: 'system',
  stream: instanceStream,
  decide(state, { instanceId }: { instanceId: string }): SystemEvent[] {
    return state === 'running' ? [{ type: instanceStopped.type, data: { instanceId } }] : [];
  },
});

export const recordLoss = defineCommand({
  name: 'system.recordLoss',
  state: instanceState,
  scope: 'system',
  stream: instanceStream,
  decide(state, { instanceId }: { instanceId: string }): SystemEvent[] {
    return state === 'running' ? [{ type: instanceLost.type, data: { instanceId } }] : [];
  },
});
