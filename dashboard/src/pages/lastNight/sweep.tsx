import type { Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { SelectField } from '../../parts/fields.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { moment } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { momentText } from '../../words/format.ts';
import { Changes } from './changes.tsx';
import { undoSweep } from './undoing.ts';
import { words } from './words.ts';

type Brief = Output<'GET /api/memory/maintain/history'>['reports'][number];

/** A report names no more changes than these. */
const MOST_TOLD = 5_000;

interface SweepProps {
  readonly reports: readonly Brief[];
  readonly timestamp: number;
}

/** One sweep as a diff, and which of those there were. */
export function Sweep({ reports, timestamp }: SweepProps) {
  const report = useResource('GET /api/memory/maintain/history/:timestamp', { timestamp });
  const { value: made } = report.data;
  return (
    <>
      <div class="sweep-head">
        <SelectField
          label={words.which}
          value={String(timestamp)}
          options={reports.map((one) => ({
            value: String(one.timestamp),
            says: words.changesOf(momentText(one.timestamp), changesIn(one)),
          }))}
          onValue={(sweep) => search({ sweep }, false)}
        />
        {made && made.issues.length > 0 && moment.value === undefined ? (
          <button type="button" onClick={() => void undoSweep(timestamp)}>
            {words.undoAll}
          </button>
        ) : null}
      </div>
      <Reading of={report} />
      {made ? (
        <>
          <p class="quiet small">{words.looked(made.conclusionsExamined, made.episodesChecked)}</p>
          {made.issues.length === 0 ? (
            <Empty title={words.nothing}>
              <p>{words.nothingNext}</p>
            </Empty>
          ) : (
            <>
              {made.issues.length < MOST_TOLD ? null : <p class="quiet">{words.cut(MOST_TOLD)}</p>}
              <Changes issues={made.issues} sweep={timestamp} />
            </>
          )}
        </>
      ) : null}
    </>
  );
}

function changesIn({ summary }: Brief): number {
  const { contradictions, orphans, redundant, pruned, decayed } = summary;
  return contradictions + orphans + redundant + pruned + decayed;
}
