import type { Output } from '../../api/ask.ts';
import { Table } from '../../parts/scroll.tsx';
import { Time } from '../../parts/time.tsx';
import { search } from '../../state/place.ts';
import { durationText } from '../../words/format.ts';
import { words } from './words.ts';

interface ExecutionsProps {
  readonly executions: Output<'GET /api/workflows/executions'>['executions'];
  readonly shown: string | undefined;
}

export function Executions({ executions, shown }: ExecutionsProps) {
  return (
    <section>
      <h2>{words.executions}</h2>
      {executions.length === 0 ? (
        <p class="quiet">{words.noExecutions}</p>
      ) : (
        <Table label={words.executions}>
          <thead>
            <tr>
              <th scope="col">{words.startedAt}</th>
              <th scope="col">{words.state}</th>
              <th scope="col" class="number">
                {words.took}
              </th>
            </tr>
          </thead>
          <tbody>
            {executions.map(({ id, state, startTime, endTime }) => (
              <tr key={id} {...(id === shown ? { 'aria-current': 'true' as const } : {})}>
                <td>
                  <button type="button" class="link" onClick={() => search({ execution: id }, false)}>
                    <Time at={startTime} seconds />
                  </button>
                </td>
                <td>
                  <span class={`step-state ${state}`}>{words.states[state]}</span>
                </td>
                <td class="number">{endTime === null ? '' : durationText(endTime - startTime)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}
