import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import { defineActor, type TopicActor } from '../topicActors.ts';
import type { Executions } from './executions.ts';

/** One that takes longer is not waited for. */
const LONGEST_MS = 60_000;

/** Executes a workflow when that is asked for under a topic. */
export function actOnRun(executions: () => Promise<Executions>, clock: Clock): TopicActor {
  return defineActor({
    topic: 'workflow.run.requested',
    payload: z.object({
      workflowId: z.string().min(1).max(128),
      input: z.record(z.string(), z.unknown()).default({}),
    }),
    async act({ workflowId, input }, { userId, id, correlationId, signal }) {
      const executionId = createHash('sha256').update(id).digest('hex').slice(0, 32);
      const all = await executions();
      await all.start({ workflowId, executionId, input, userId, correlationId });
      const { phase, error } = await all.settled({ userId, executionId }, clock() + LONGEST_MS, signal);
      if (phase === 'failed')
        throw new HarkError('WORKFLOW_FAILED', error === null ? {} : { message: error });
    },
  });
}
