import { useMemo, useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { TextField } from '../../parts/fields.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Reading } from '../../parts/states.tsx';
import { durationText, numberText } from '../../words/format.ts';
import { type Family, type Histogram, readExposition } from './exposition.ts';
import { words } from './words.ts';

/** Every metric as it was when it was read: a table each, with bars where it says how values are spread. */
export function Metrics() {
  const read = useResource('GET /metrics', {});
  const [text, setText] = useState('service_');
  const families = useMemo(() => readExposition(read.data.value ?? ''), [read.data.value]);
  const wanted = text.trim().toLowerCase();
  const found = families.filter(
    ({ name, help, series, histograms }) =>
      (name.includes(wanted) || help.toLowerCase().includes(wanted)) && series.length + histograms.length > 0,
  );
  return (
    <section>
      <h2>{words.metrics}</h2>
      <p class="quiet">{words.metricsAbout}</p>
      <Reading of={read} />
      <div class="metrics-tools">
        <TextField label={words.findMetric} type="search" value={text} onValue={setText} />
        <button type="button" onClick={read.reload}>
          {words.readAgain}
        </button>
      </div>
      {found.map((family) => (
        <details key={family.name} class="metric">
          <summary>
            <code>{family.name}</code>{' '}
            <span class="quiet small" lang="en">
              {family.help}
            </span>
          </summary>
          <FamilyTable family={family} />
        </details>
      ))}
      {found.length === 0 && read.data.value !== undefined ? <p class="quiet">{words.noMetric}</p> : null}
    </section>
  );
}

function FamilyTable({ family: { name, series, histograms } }: { readonly family: Family }) {
  return (
    <Scroll label={name}>
      {series.length === 0 ? null : (
        <table aria-label={name}>
          <thead>
            <tr>
              <th scope="col">{words.labels}</th>
              <th scope="col" class="number">
                {words.value}
              </th>
            </tr>
          </thead>
          <tbody>
            {series.map(({ labels, value }) => (
              <tr key={labels}>
                <th scope="row">{labels || name}</th>
                <td class="number">{numberText(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {histograms.map((histogram) => (
        <Spread key={histogram.labels} histogram={histogram} />
      ))}
    </Scroll>
  );
}

function Spread({ histogram: { labels, buckets, count, sum } }: { readonly histogram: Histogram }) {
  const shown = buckets.filter((bucket, index) => bucket.count > 0 || buckets[index + 1]?.count);
  const most = Math.max(1, ...buckets.map((bucket) => bucket.count));
  return (
    <table class="spread">
      <caption>
        {labels} · {words.spread(count, durationText((1_000 * sum) / count))}
      </caption>
      <thead>
        <tr>
          <th scope="col">{words.upTo}</th>
          <th scope="col" class="number">
            {words.count}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {shown.map(({ bound, count: own }) => (
          <tr key={bound}>
            <th scope="row">{bound === '+Inf' ? words.more : durationText(1_000 * Number(bound))}</th>
            <td class="number">{numberText(own)}</td>
            <td class="track">
              <span class="bar" style={{ width: `${(100 * own) / most}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
