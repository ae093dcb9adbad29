import { ask, type Output } from '../../api/ask.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { moment } from '../../state/moment.ts';
import { durationText } from '../../words/format.ts';
import { words } from './words.ts';

export type Shown = Output<'GET /api/workflows/executions/:id'>['execution'];

/** How the execution that is shown goes, and what it gave. */
export function Execution({ execution }: { readonly execution: Shown }) {
  const { id, state, startTime, endTime, output, error } = execution;
  const isOver = endTime !== null;
  return (
    <section class="execution" aria-label={words.execution}>
      <p role="status">
        <span class={`step-state ${state}`}>{words.states[state]}</span>{' '}
        <span class="quiet">
          <Time at={startTime} seconds />
          {isOver ? `, ${durationText(endTime - startTime)}` : null}
        </span>
      </p>
      {isOver || moment.value !== undefined ? null : (
        <button type="button" onClick={() => void cancel(id)}>
          {words.cancelIt}
        </button>
      )}
      {error === null ? null : (
        <p class="wrong">
          <Plain text={error} />
        </p>
      )}
      {output === null ? null : (
        <details>
          <summary>{words.output}</summary>
          <pre>
            <Plain text={JSON.stringify(output, undefined, 2)} />
          </pre>
        </details>
      )}
    </section>
  );
}

async function cancel(id: string): Promise<void> {
  const question = {
    title: words.cancelTitle,
    text: words.cancelText,
    action: words.cancelIt,
    isGrave: true,
  };
  if (!(await confirmed(question))) return;
  if (await attempt(() => ask('POST /api/workflows/executions/:id/cancel', { id }))) tell(words.cancelled);
}
