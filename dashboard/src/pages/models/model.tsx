import { useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { bytesText, durationText, numberText, shareText } from '../../words/format.ts';
import type { Progress } from './downloads.ts';
import type { Model } from './models.tsx';
import { words } from './words.ts';

interface OneModelProps {
  readonly model: Model;
  readonly progress: Progress | undefined;
  readonly canChange: boolean;
  readonly onDownload: () => void;
  readonly onChanged: () => void;
}

/** What it is, on what terms it may be used, and what can be done with it. */
export function OneModel({ model, progress, canChange, onDownload, onChanged }: OneModelProps) {
  const { id: modelId, name, description, downloaded, builtIn } = model;
  const isComing = model.downloading || progress !== undefined;
  const [isMeasured, setMeasured] = useState(false);
  // Where there is no log, this page alone knows it.
  const [measured, setResult] = useState<Measured>();
  const benchmark = model.benchmark ?? measured;
  const measure = async () => {
    setMeasured(true);
    setResult(await attempt(() => ask('POST /api/models/:modelId/benchmark', { modelId })));
    setMeasured(false);
    onChanged();
  };
  const remove = async () => {
    const question = {
      title: words.removeTitle(name),
      text: words.removeText,
      action: words.remove,
      isGrave: true,
    };
    if (!isComing && !(await confirmed(question))) return;
    if (await attempt(() => ask('DELETE /api/models/:modelId', { modelId })))
      tell(isComing ? words.ended : words.removed);
    onChanged();
  };
  return (
    <article class="row-head">
      <div>
        <p class="row-title">
          <Plain text={name} most={120} />
        </p>
        <p class="row-text small">
          <Plain text={description} most={300} />
        </p>
        <Facts model={model} />
        {isComing ? <Coming progress={progress} /> : null}
        {benchmark ? <Result measured={benchmark} /> : null}
      </div>
      {canChange ? (
        <div class="actions">
          {downloaded || isComing ? null : (
            <button type="button" aria-label={`${words.download} ${name}`} onClick={onDownload}>
              {words.download}
            </button>
          )}
          {downloaded ? (
            <button
              type="button"
              aria-label={`${words.benchmark} ${name}`}
              disabled={isMeasured}
              onClick={() => void measure()}
            >
              {isMeasured ? words.benchmarking : words.benchmark}
            </button>
          ) : null}
          {(downloaded && !builtIn) || isComing ? (
            <button
              type="button"
              class="grave"
              aria-label={`${isComing ? words.end : words.remove} ${name}`}
              onClick={() => void remove()}
            >
              {isComing ? words.end : words.remove}
            </button>
          ) : null}
        </div>
      ) : null}
    </article>
  );
}

const FEW_LANGUAGES = 4;

function Facts({ model }: { readonly model: Model }) {
  const { licence, sizeBytes, languages, downloaded, builtIn, sha256 } = model;
  const spoken = languages.includes('*') ? words.anyLanguage : languages.join(', ');
  return (
    <p class="quiet small facts">
      {builtIn ? <span>{words.builtIn}</span> : <span>{bytesText(sizeBytes)}</span>}
      <span>{licence}</span>
      <span title={spoken}>
        {languages.length > FEW_LANGUAGES ? words.languages(languages.length) : spoken}
      </span>
      {downloaded && !builtIn ? <span class="good">{words.here}</span> : null}
      {sha256 === null && !builtIn ? <span class="wrong">{words.noSum}</span> : null}
    </p>
  );
}

function Coming({ progress }: { readonly progress: Progress | undefined }) {
  if (!progress) return <progress aria-label={words.waiting} />;
  const { percent, phase, downloaded, total } = progress;
  const says = words.percent(shareText(percent / 100), words.phases[phase]);
  return (
    <p class="small coming">
      <progress aria-label={says} max={100} value={percent} />
      <span>
        {says}{' '}
        <span class="quiet">
          ({bytesText(downloaded)} / {bytesText(total)})
        </span>
      </span>
    </p>
  );
}

type Measured = Omit<NonNullable<Model['benchmark']>, 'at'> & { readonly at?: number };

function Result({ measured }: { readonly measured: Measured }) {
  const { at, realTimeFactor, firstAudioMs, peakMb, wordErrorRate } = measured;
  const times = realTimeFactor > 0 ? Math.round(10 / realTimeFactor) / 10 : 0;
  return (
    <p class="small facts" role="status" aria-label={words.result}>
      <strong>{words.speed(numberText(times))}</strong>
      {firstAudioMs === undefined ? null : <span>{words.firstAudio(durationText(firstAudioMs))}</span>}
      <span>{words.memory(bytesText(peakMb * 1e6))}</span>
      {wordErrorRate === undefined ? null : <span>{words.errors(shareText(wordErrorRate))}</span>}
      {at === undefined ? null : (
        <span class="quiet">
          <Time at={at} />
        </span>
      )}
    </p>
  );
}
