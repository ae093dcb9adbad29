import { instanceStarted, type SystemEvent } from '../../events/system.ts';
import { defineCommand } from '../command.ts';
import { type InstanceState, instanceState, instanceStream } from './state.ts';

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
