import './lastNight.css';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Page } from '../../parts/page.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { moment } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { Otherwise } from './otherwise.tsx';
import { Sweep } from './sweep.tsx';
import { undoAll } from './undoing.ts';
import { words } from './words.ts';

export default function LastNight() {
  const { query } = useLocation();
  const isPast = moment.value !== undefined;
  const shown = query.show === 'otherwise' && !isPast ? 'otherwise' : 'sweeps';
  return (
    <Page title={words.title} about={words.about} actions={isPast ? null : <SweepNow />}>
      {isPast ? (
        <Sweeps wanted={query.sweep} />
      ) : (
        <Tabs
          label={words.views}
          tabs={[
            { name: 'sweeps', says: words.sweeps },
            { name: 'otherwise', says: words.otherwise },
          ]}
          chosen={shown}
          onChoose={(show) => search({ show: show === 'sweeps' ? undefined : show })}
        >
          {shown === 'sweeps' ? <Sweeps wanted={query.sweep} /> : <Otherwise />}
        </Tabs>
      )}
    </Page>
  );
}

/** The newest, or the one that the address names. In the past, those that had been made by then. */
function Sweeps({ wanted }: { readonly wanted: string | undefined }) {
  const { value: at } = moment;
  const before = at === undefined ? {} : { before: at + 1 };
  const history = useResource('GET /api/memory/maintain/history', { limit: 200, ...before }, [
    'memory.maintenance.completed',
    'memory.erased',
  ]);
  const reports = history.data.value?.reports;
  if (!reports) return <Reading of={history} />;
  const chosen = reports.find(({ timestamp }) => String(timestamp) === wanted) ?? reports[0];
  if (!chosen)
    return (
      <Empty title={words.none}>
        <p>{at === undefined ? words.noneNext : words.noneBefore}</p>
      </Empty>
    );
  return <Sweep key={chosen.timestamp} reports={reports} timestamp={chosen.timestamp} />;
}

function SweepNow() {
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    const report = await attempt(() => ask('POST /api/memory/maintain', {}));
    setRunning(false);
    if (!report) return;
    const { timestamp, issues } = report;
    search({ sweep: timestamp, show: undefined });
    tell(words.swept(issues.length), issues.length === 0 ? undefined : () => undoAll(timestamp));
  };
  return (
    <button type="button" class="main" disabled={isRunning} onClick={run}>
      {isRunning ? words.running : words.runNow}
    </button>
  );
}
