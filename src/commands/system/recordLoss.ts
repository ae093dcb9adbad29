import { instanceLost, type SystemEvent } from '../../events/system.ts';
import { defineCommand } from '../command.ts';
import { instanceState, instanceStream } from './state.ts';

export const recordLoss = defineCommand({
  name: 'system.recordLoss',
  state: instanceState,
  scope: 'system',
  stream: instanceStream,
  decide(state, { instanceId }: { instanceId: string }): SystemEvent[] {
    return state === 'running' ? [{ type: instanceLost.type, data: { instanceId } }] : [];
  },
});
