import type { Output } from '../../api/ask.ts';
import { Plain } from '../../parts/plain.tsx';
import { Table } from '../../parts/scroll.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from './words.ts';

type Run = Output<'GET /api/scheduler/tasks/:taskId/runs'>['runs'][number];

export function History({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <section>
      <h2>{words.history}</h2>
      {runs.length === 0 ? (
        <p class="quiet">{words.noHistory}</p>
      ) : (
        <Table label={words.history}>
          <thead>
            <tr>
              <th scope="col">{words.due}</th>
              <th scope="col">{words.state}</th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr key={run.occurrenceId}>
                <td>
                  <Time at={run.dueAt} seconds />
                  <span class="quiet small">
                    {run.asked ? ` ${words.asked}` : ''}
                    {run.late ? ` ${words.late}` : ''}
                  </span>
                </td>
                <td>
                  <Came run={run} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}

function Came({ run: { state, attempts, code, retryAt } }: { readonly run: Run }) {
  return (
    <>
      <span class={state === 'failed' ? 'wrong' : ''}>{words.runStates[state]}</span>
      <span class="quiet small">
        {code === null ? null : (
          <>
            {' '}
            <Plain text={code} most={80} />
          </>
        )}
        {attempts > 1 ? ` ${words.attempts(attempts)}` : ''}
        {retryAt === null ? null : (
          <>
            {` ${words.retryAt} `}
            <Time at={retryAt} />
          </>
        )}
      </span>
    </>
  );
}
