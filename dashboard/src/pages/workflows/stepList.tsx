import { Plain } from '../../parts/plain.tsx';
import { Time } from '../../parts/time.tsx';
import { durationText } from '../../words/format.ts';
import { kindOf, listName } from './drawing.tsx';
import type { Shown } from './execution.tsx';
import { type StepNode, stepTree } from './stepTree.ts';
import { words } from './words.ts';
import type { Workflow } from './workflows.tsx';

interface StepListProps {
  readonly steps: Workflow['steps'];
  readonly execution: Shown | undefined;
}

/** What the drawing shows, for whoever reads or listens; and more of each step. */
export function StepList({ steps, execution }: StepListProps) {
  const states = new Map(execution?.steps.map((one) => [one.id, one]));
  return <Nodes nodes={stepTree(steps)} states={states} isRun={execution !== undefined} />;
}

interface NodesProps {
  readonly nodes: readonly StepNode[];
  readonly states: ReadonlyMap<string, Shown['steps'][number]>;
  readonly isRun: boolean;
}

function Nodes({ nodes, states, isRun }: NodesProps) {
  return (
    <ol class="steps">
      {nodes.map(({ id, name, type, lists }) => (
        <li key={id}>
          <Plain text={name} most={200} /> <span class="quiet small">{kindOf(type) ?? type}</span>
          {isRun ? <StepState record={states.get(id)} /> : null}
          {lists.map(({ list, steps }) => (
            <div key={list}>
              <span class="quiet small">{listName(list)}</span>
              <Nodes nodes={steps} states={states} isRun={isRun} />
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}

function StepState({ record }: { readonly record: Shown['steps'][number] | undefined }) {
  if (!record) return <span class="step-state none">{words.stepStates.none}</span>;
  const { state, attempts, startTime, endTime, until, error } = record;
  return (
    <>
      <span class={`step-state ${state}`}>{words.stepStates[state]}</span>
      <span class="quiet small">
        {endTime === null ? '' : ` ${durationText(endTime - startTime)}`}
        {attempts > 1 ? ` ${words.attempts(attempts)}` : ''}
        {until === null ? null : (
          <>
            {` ${words.until} `}
            <Time at={until} exact />
          </>
        )}
      </span>
      {error === null ? null : (
        <p class="wrong small">
          <Plain text={error} most={600} />
        </p>
      )}
    </>
  );
}
