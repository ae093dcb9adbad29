import { instanceLost, instanceStopped } from '../../events/system.ts';
import type { Views } from '../../projections/runtime.ts';
import { openExecutions } from '../../projections/workflows/openExecutions.ts';
import type { Saga } from '../saga.ts';
import type { Executions } from './executions.ts';

/** What a process left unfinished when it ended goes on here. */
export function resumeExecutions(views: () => Views, executions: Pick<Executions, 'takeOver'>): Saga {
  return {
    name: 'resume-executions',
    handles: [instanceLost.type, instanceStopped.type],
    key: () => 'executions',
    async react(event) {
      const definition = event.type === instanceLost.type ? instanceLost : instanceStopped;
      const { instanceId } = definition.data.parse(event.data);
      const open = Object.values(views().view(openExecutions).byStream);
      for (const left of open) if (left.instanceId === instanceId) await executions.takeOver({ ...left });
    },
  };
}
