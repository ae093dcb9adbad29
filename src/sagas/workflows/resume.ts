import { Semaphore } from '../../application/semaphore.ts';
import type { Executions } from '../../application/workflows/executions.ts';
import { endsOfInstance } from '../../events/system.ts';
import type { Views } from '../../projections/runtime.ts';
import { openExecutions } from '../../projections/workflows/openExecutions.ts';
import { defineSaga, type Saga } from '../saga.ts';

/** Written down together, they cost the disk little more than one. */
const AT_ONCE = 64;

/** What a process left unfinished when it ended goes on here. */
export function resumeExecutions(views: () => Views, executions: Pick<Executions, 'takeOver'>): Saga {
  return defineSaga({
    name: 'resume-executions',
    on: endsOfInstance,
    // Nobody else would take them over.
    retry: { tries: 12, firstPauseMs: 100 },
    key: () => 'executions',
    async react(event) {
      const { instanceId } = event.data;
      const open = Object.values(views().view(openExecutions).byStream);
      const left = open.filter((execution) => execution.instanceId === instanceId);
      const turns = new Semaphore(AT_ONCE);
      await Promise.all(left.map((execution) => turns.take(() => executions.takeOver({ ...execution }))));
    },
  });
}
