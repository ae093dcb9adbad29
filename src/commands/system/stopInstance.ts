import { instanceStopped, type SystemEvent } from '../../events/system.ts';
import { defineCommand } from '../command.ts';
import { instanceState, instanceStream } from './state.ts';

export const stopInstance = defineCommand({
  name: 'system.stopInstance',
  state: instanceState,
  scope: 'system',
  stream: instanceStream,
  decide(state, { instanceId }: { instanceId: string }): SystemEvent[] {
    return state === 'running' ? [{ type: instanceStopped.type, data: { instanceId } }] : [];
  },
});
