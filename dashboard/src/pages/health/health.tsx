import { useResource } from '../../api/resource.ts';
import { Page } from '../../parts/page.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Table } from '../../parts/scroll.tsx';
import { Reading } from '../../parts/states.tsx';
import { durationText, withMoments } from '../../words/format.ts';
import { Backups } from './backups.tsx';
import { Dependencies } from './dependencies.tsx';
import { Figures } from './figures.tsx';
import './health.css';
import { Machine } from './machine.tsx';
import { Metrics } from './metrics.tsx';
import { words } from './words.ts';

export default function Health() {
  const health = useResource('GET /api/health', {}, ['provider.*', 'config:changed']);
  const report = health.data.value;
  return (
    <Page isNow title={words.title} about={words.about}>
      <Reading of={health} />
      {report ? (
        <>
          <p class={`state ${report.status}`} role="status">
            {words.whole[report.status]}
          </p>
          <Figures />
          <Machine />
          <Table label={words.title}>
            <thead>
              <tr>
                <th scope="col">{words.part}</th>
                <th scope="col">{words.state}</th>
                <th scope="col" class="number">
                  {words.answered}
                </th>
              </tr>
            </thead>
            <tbody>
              {worstFirst(report.services).map(([name, { status, responseTime, error, note }]) => (
                <tr key={name}>
                  <th scope="row">
                    {name}
                    <div class="quiet small">
                      <Plain text={withMoments(error ?? note ?? '')} />
                    </div>
                  </th>
                  <td class={`state ${status}`}>{words.states[status]}</td>
                  <td class="number">{durationText(responseTime)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
          <Backups />
          <Dependencies />
          <Metrics />
        </>
      ) : null}
    </Page>
  );
}

function worstFirst<Entry extends { readonly status: string }>(services: Readonly<Record<string, Entry>>) {
  const entries = Object.entries(services);
  const isWorse = ([, { status }]: readonly [string, Entry]) => Number(status === 'unhealthy');
  return entries.toSorted((one, other) => isWorse(other) - isWorse(one));
}
