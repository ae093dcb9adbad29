import { entryOf } from '../../entryOf.ts';
import type { ParallelStep, Step, WorkflowDefinition } from '../../events/workflowDefinition.ts';
import type { ExecutionView, StepRecord } from '../../projections/workflows/execution.ts';

/** What is next in an execution, as far as its steps got. */
export interface Plan {
  /** Steps that can be begun, or tried again, at this moment. */
  readonly ready: readonly Step[];
  /** Nothing is left to be done, or to be waited for. */
  readonly isOver: boolean;
  readonly failure: { readonly stepId: string; readonly error: string } | null;
}

type StepOutcome = 'done' | 'open' | 'failed';

/**
 * Drawn from what is recorded alone, so that whoever goes on with an execution comes to what would have come anyway.
 * Lists of steps that go on side by side all come to their end before the failure of one of them counts; of several
 * it is the one that is written first.
 */
export function planOf(
  { steps: records }: Pick<ExecutionView, 'steps'>,
  definition: WorkflowDefinition,
  { now, inFlight }: { readonly now: number; readonly inFlight: ReadonlySet<string> },
): Plan {
  const ready: Step[] = [];
  let failure: Plan['failure'] = null;

  const visitList = (list: readonly Step[]): StepOutcome => {
    for (const step of list) {
      const outcome = visit(step);
      if (outcome !== 'done') return outcome;
    }
    return 'done';
  };

  const visit = (step: Step): StepOutcome => {
    const record = entryOf(records, step.id);
    if (record?.state === 'skipped') return 'done';
    if (record?.state === 'failed') return fail(step, record);
    if (record?.state === 'completed') return visitChosen(step, record);
    if (step.type === 'PARALLEL' && isOpened(step, record)) return visitBranches(step);
    const isDue = record?.until == null || record.until <= now;
    if (isDue && !inFlight.has(step.id)) ready.push(step);
    return 'open';
  };

  const visitChosen = (step: Step, { output }: StepRecord): StepOutcome => {
    if (step.type !== 'CONDITION') return 'done';
    return within(step, () => visitList((output === true ? step.do : step.else) ?? []));
  };

  const visitBranches = (step: ParallelStep): StepOutcome =>
    within(step, () => {
      const all = step.branches.map(visitList);
      if (all.includes('open')) return 'open';
      return all.includes('failed') ? 'failed' : 'done';
    });

  /** What goes on after an error goes on after those of the steps within it too. */
  const within = ({ onError }: Step, visitInside: () => StepOutcome): StepOutcome => {
    const before = failure;
    const outcome = visitInside();
    if (outcome !== 'failed' || onError !== 'continue') return outcome;
    failure = before;
    return 'done';
  };

  const fail = ({ id, onError }: Step, { error }: StepRecord): StepOutcome => {
    if (onError === 'continue') return 'done';
    failure ??= { stepId: id, error: error ?? '' };
    return 'failed';
  };

  const outcome = visitList(definition.steps);
  return { ready, isOver: outcome !== 'open', failure: outcome === 'failed' ? failure : null };
}

/** Its steps can be begun at once where nothing has to be asked first. */
function isOpened(step: Step, record: StepRecord | undefined): boolean {
  return step.if === undefined || record !== undefined;
}
