import { Plain } from '../../parts/plain.tsx';
import { Time } from '../../parts/time.tsx';
import { durationText } from '../../words/format.ts';
import { kindOf, listName } from './drawing.tsx';
import type { Shown } from './execution.tsx';
import { type State, type StepNode, statesOf, stepTree } from './stepTree.ts';
import { words } from './words.ts';
import type { Workflow } from './workflows.tsx';

interface StepListProps {
  readonly steps: Workflow['steps'];
  readonly execution: Shown | undefined;
}

/** What the drawing shows, for whoever reads or listens; and more of each step. */
export function StepList({ steps, execution }: StepListProps) {
  const nodes = stepTree(steps);
  const records = new Map(execution?.steps.map((one) => [one.id, one]));
  return <Nodes nodes={nodes} states={statesOf(nodes, execution)} records={records} />;
}

interface NodesProps {
  readonly nodes: readonly StepNode[];
  readonly states: ReadonlyMap<string, State>;
  readonly records: ReadonlyMap<string, Shown['steps'][number]>;
}

function Nodes({ nodes, states, records }: NodesProps) {
  return (
    <ol class="steps">
      {nodes.map(({ id, name, type, lists }) => (
        <li key={id}>
          <Plain text={name} most={200} /> <span class="quiet small">{kindOf(type) ?? type}</span>
          <span class={`step-state ${states.get(id) ?? 'none'}`}>
            {states.size > 0 ? words.stepStates[states.get(id) ?? 'none'] : null}
          </span>
          <StepFacts record={records.get(id)} />
          {lists.map(({ list, steps }) => (
            <div key={list}>
              <span class="quiet small">{listName(list)}</span>
              <Nodes nodes={steps} states={states} records={records} />
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}

function StepFacts({ record }: { readonly record: Shown['steps'][number] | undefined }) {
  if (!record) return null;
  const { attempts, startTime, endTime, until, error } = record;
  return (
    <>
      <span class="quiet small">
        {endTime === null ? '' : ` ${durationText(endTime - startTime)}`}
        {attempts > 1 ? ` ${words.attempts(attempts)}` : ''}
        {until === null ? null : (
          <>
            {` ${words.until} `}
            <Time at={until} seconds />
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
