import { type EventOf, readerOf } from '../../events/definition.ts';
import {
  executionEndings,
  executionResumed,
  executionStarted,
  stepCompleted,
  stepFailed,
  stepStarted,
  waitBegun,
} from '../../events/workflows.ts';
import { defineProjection, type Handled } from '../projection.ts';

export interface OpenExecution {
  readonly userId: string;
  readonly executionId: string;
  readonly correlationId: string;
  readonly generation: number;
  readonly startedAt: number;
  instanceId: string;
  /** By step: when its wait is over, or its next attempt due. */
  readonly due: Record<string, number>;
}

interface OpenExecutions {
  readonly byStream: Record<string, OpenExecution>;
}

const changes = [executionResumed, stepStarted, stepCompleted, stepFailed, waitBegun] as const;
const readChange = readerOf(changes);

/** Executions that are not over, who runs each, and when what it waits for is due. */
export const openExecutions = defineProjection({
  name: 'workflows.openExecutions',
  version: 1,
  handles: [executionStarted, ...changes, ...executionEndings],
  initial: (): OpenExecutions => ({ byStream: {} }),
  apply({ byStream }, event) {
    const { type, stream } = event;
    if (type === executionStarted.type) byStream[stream] = begun(event);
    else {
      const change = readChange(event);
      if (!change) delete byStream[stream];
      else if (byStream[stream]) goOn(byStream[stream], change);
    }
  },
});

function begun({ owner: userId, correlationId, at, data }: Handled<typeof executionStarted>): OpenExecution {
  const { executionId, instanceId, generation } = data;
  return { userId, executionId, correlationId, instanceId, generation, startedAt: at, due: {} };
}

function goOn(open: OpenExecution, { type, data }: EventOf<(typeof changes)[number]>): void {
  switch (type) {
    case executionResumed.type:
      open.instanceId = data.instanceId;
      return;
    case waitBegun.type:
      open.due[data.stepId] = data.until;
      return;
    case stepFailed.type:
      if (data.retryAt === null) delete open.due[data.stepId];
      else open.due[data.stepId] = data.retryAt;
      return;
    default:
      delete open.due[data.stepId];
  }
}
