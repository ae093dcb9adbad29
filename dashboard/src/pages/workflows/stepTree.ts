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
