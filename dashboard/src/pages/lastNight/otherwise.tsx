import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useResource } from '../../api/resource.ts';
import { Field } from '../../parts/fields.tsx';
import { Reading } from '../../parts/states.tsx';
import { search } from '../../state/place.ts';
import { numberText } from '../../words/format.ts';
import { Changes } from './changes.tsx';
import { words } from './words.ts';

/** By the name that the preview has for it: its setting, and how far it can be moved. */
const thresholds = {
  prune: { setting: 'pruneConfidenceThreshold', min: 0, max: 1, step: 0.01 },
  stale: { setting: 'staleThresholdDays', min: 0, max: 730, step: 1 },
  decay: { setting: 'decayFactor', min: 0, max: 1, step: 0.01 },
  similarity: { setting: 'redundancySimilarity', min: 0.5, max: 1, step: 0.01 },
  orphan: { setting: 'orphanImportanceThreshold', min: 0, max: 10, step: 0.1 },
} as const;
type Threshold = keyof typeof thresholds;
const names = ['prune', 'stale', 'decay', 'similarity', 'orphan'] as const satisfies readonly Threshold[];

/** After so long without a move, what would be done is looked at. */
const AT_REST_MS = 250;

/** What other thresholds would have done: looked at, and never written. */
export function Otherwise() {
  const { query } = useLocation();
  const settings = useResource('GET /api/settings', {}, ['config:changed']);
  const [moved, setMoved] = useState<Partial<Record<Threshold, number>>>(() => chosenIn(query));
  const [asked, setAsked] = useState(moved);
  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked(moved);
      search(Object.fromEntries(names.map((name) => [name, moved[name]])));
    }, AT_REST_MS);
    return () => clearTimeout(timer);
  }, [moved]);
  const preview = useResource('GET /api/memory/maintain/preview', asked, ['memory.*']);
  const { value: report } = preview.data;
  const isLooking = JSON.stringify(moved) !== JSON.stringify(asked);
  return (
    <>
      <p class="quiet">
        {words.preview} {words.toSettings}
      </p>
      <div class="sweep-thresholds">
        {names.map((name) => {
          const { setting, ...range } = thresholds[name];
          const usual = Number(settings.data.value?.settings[setting]?.value ?? range.min);
          const value = moved[name] ?? usual;
          return (
            <Field
              key={name}
              label={`${words.thresholds[name]}: ${numberText(value)}`}
              hint={moved[name] === undefined ? undefined : words.usual(numberText(usual))}
            >
              {(ties) => (
                <input
                  {...{ ...ties, ...range, value }}
                  type="range"
                  onInput={(event) => setMoved({ ...moved, [name]: event.currentTarget.valueAsNumber })}
                />
              )}
            </Field>
          );
        })}
      </div>
      <button type="button" disabled={Object.keys(moved).length === 0} onClick={() => setMoved({})}>
        {words.reset}
      </button>
      <Reading of={preview} />
      {report ? (
        <>
          <p role="status" class="sweep-would">
            {isLooking
              ? words.looking
              : report.issues.length === 0
                ? words.wouldNothing
                : words.would(report.issues.length)}
          </p>
          <Changes issues={report.issues} />
        </>
      ) : null}
    </>
  );
}

function chosenIn(query: Readonly<Record<string, string>>): Partial<Record<Threshold, number>> {
  const given = names.flatMap((name) => {
    const value = Number(query[name] ?? Number.NaN);
    return Number.isFinite(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}
