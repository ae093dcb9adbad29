import type { Shown } from './execution.tsx';
import type { Workflow } from './workflows.tsx';

type Step = Workflow['steps'][number];

export interface StepNode extends Step {
  readonly lists: readonly { readonly list: string; readonly steps: readonly StepNode[] }[];
}

/** Steps come in the order in which they are written, each with the step that it lies within. */
export function stepTree(
  steps: readonly Step[],
  parent?: { step: string; list: string },
): readonly StepNode[] {
  return steps
    .filter(({ within }) => within?.step === parent?.step && within?.list === parent?.list)
    .map((step) => ({ ...step, lists: listsOf(steps, step.id) }));
}

function listsOf(steps: readonly Step[], step: string): StepNode['lists'] {
  const names = new Set(steps.flatMap(({ within }) => (within?.step === step ? [within.list] : [])));
  return Array.from(names, (list) => ({ list, steps: stepTree(steps, { step, list }) }));
}

export type State = Shown['steps'][number]['state'];

/** By id. A step with lists has no state of its own before they are over: it has that of the whole once one of them was reached. */
export function statesOf(
  steps: readonly StepNode[],
  execution: Shown | undefined,
): ReadonlyMap<string, State> {
  const states = new Map(execution?.steps.map(({ id, state }) => [id, state]));
  const whole = execution?.state ?? 'running';
  for (const step of steps) add(states, step, whole);
  return states;
}

function add(states: Map<string, State>, { id, lists }: StepNode, whole: State): void {
  const within = lists.flatMap(({ steps }) => steps);
  for (const step of within) add(states, step, whole);
  if (!states.has(id) && within.some((step) => states.has(step.id))) states.set(id, whole);
}
