import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useResource } from '../../api/resource.ts';
import { Go } from '../../parts/go.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { Drawing } from './drawing.tsx';
import { Execution } from './execution.tsx';
import { Executions } from './executions.tsx';
import { Run } from './run.tsx';
import { StepList } from './stepList.tsx';
import { words } from './words.ts';
import type { Workflow } from './workflows.tsx';

/** One workflow: its steps with the state that they have in the execution that is shown, and its executions. */
export function OneWorkflow({ workflow }: { readonly workflow: Workflow | undefined }) {
  if (!workflow)
    return (
      <Page isNow title={words.title}>
        <Empty title={words.unknown}>
          <p>{words.unknownNext}</p>
          <Go to="/workflows">{words.back}</Go>
        </Empty>
      </Page>
    );
  return <Known workflow={workflow} />;
}

function Known({ workflow }: { readonly workflow: Workflow }) {
  const { query } = useLocation();
  const [isRunOpen, setRunOpen] = useState(false);
  const { id: workflowId, name, description, steps } = workflow;
  const listed = useResource('GET /api/workflows/executions', { workflowId, ...asItWas() }, ['workflow.*']);
  const executions = listed.data.value?.executions;
  const id = query.execution ?? executions?.[0]?.id;
  const shown = useResource(
    'GET /api/workflows/executions/:id',
    id === undefined ? undefined : { id, ...asItWas() },
    ['workflow.*'],
  );
  const execution = id === undefined ? undefined : shown.data.value?.execution;
  const run = (
    <button type="button" class="main" onClick={() => setRunOpen(true)}>
      {words.run}
    </button>
  );
  return (
    <Page title={name} actions={moment.value === undefined ? run : null}>
      <p>
        <Go to="/workflows">{words.back}</Go>
      </p>
      <p class="row-text">
        <Plain text={description} />
      </p>
      {execution ? <Execution execution={execution} /> : id && <Reading of={shown} />}
      <Scroll label={words.drawing}>
        <Drawing steps={steps} execution={execution} />
      </Scroll>
      <details class="as-text">
        <summary>{words.asText}</summary>
        <StepList steps={steps} execution={execution} />
      </details>
      {executions ? <Executions executions={executions} shown={id} /> : <Reading of={listed} />}
      {isRunOpen ? <Run workflow={workflow} onClose={() => setRunOpen(false)} /> : null}
    </Page>
  );
}
