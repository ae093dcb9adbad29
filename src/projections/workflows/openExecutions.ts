import {
  executionEndings,
  executionResumed,
  executionStarted,
  stepCompleted,
  stepFailed,
  stepStarted,
  waitBegun,
} from '../../events/workflows.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { defineProjection } from '../projection.ts';

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

const endings: readonly string[] = executionEndings.map(({ type }) => type);

/** Executions that are not over, who runs each, and when what it waits for is due. */
export const openExecutions = defineProjection<OpenExecutions>({
  name: 'workflows.openExecutions',
  version: 1,
  handles: [
    executionStarted.type,
    executionResumed.type,
    stepStarted.type,
    stepCompleted.type,
    stepFailed.type,
    waitBegun.type,
    ...endings,
  ],
  initial: () => ({ byStream: {} }),
  apply({ byStream }, event) {
    if (event.type === executionStarted.type) byStream[event.stream] = begun(event);
    else if (endings.includes(event.type)) delete byStream[event.stream];
    else goOn(byStream[event.stream], event);
  },
});

function begun({ userId, correlationId, at, data }: StoredEvent): OpenExecution {
  const { executionId, instanceId, generation } = executionStarted.data.parse(data);
  return { userId: userId ?? '', executionId, correlationId, instanceId, generation, startedAt: at, due: {} };
}

function goOn(open: OpenExecution | undefined, { type, data }: StoredEvent): void {
  if (!open) return;
  if (type === executionResumed.type) {
    open.instanceId = executionResumed.data.parse(data).instanceId;
  } else if (type === waitBegun.type) {
    const { stepId, until } = waitBegun.data.parse(data);
    open.due[stepId] = until;
  } else if (type === stepFailed.type) {
    const { stepId, retryAt } = stepFailed.data.parse(data);
    if (retryAt === null) delete open.due[stepId];
    else open.due[stepId] = retryAt;
  } else
    delete open.due[
      type === stepStarted.type ? stepStarted.data.parse(data).stepId : stepCompleted.data.parse(data).stepId
    ];
}
