import '../../look/lists.css';
import './models.css';
import { useLocation } from 'preact-iso';
import { ask, type Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { Switch, TextField } from '../../parts/fields.tsx';
import { Page } from '../../parts/page.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Reading } from '../../parts/states.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { useDownloads } from './downloads.ts';
import { OneModel } from './model.tsx';
import { Voice } from './voice.tsx';
import { words } from './words.ts';

export type Model = Output<'GET /api/models'>['models'][number];

const types = ['stt', 'tts', 'vad', 'wake', 'embedding', 'nli'] as const;

export default function Models() {
  const { query } = useLocation();
  const listed = useResource('GET /api/models', asItWas(), ['models.*']);
  const { models, downloadedCount = 0, totalCount = 0 } = listed.data.value ?? {};
  const downloads = useDownloads(models ?? [], listed.reload);
  const canChange = moment.value === undefined;
  const text = query.q ?? '';
  const isWanted = matcherOf(text, query.here === 'true');
  const wanted = types.flatMap((type) => models?.filter((one) => one.type === type && isWanted(one)) ?? []);
  const clear = async () => {
    const question = { title: words.clearTitle, text: words.clearText, action: words.clear, isGrave: true };
    if (!(await confirmed(question))) return;
    const answer = await attempt(() => ask('POST /api/models/clear-all', {}));
    if (answer) tell(words.cleared(answer.count));
    listed.reload();
  };
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        canChange && models?.some(({ downloaded, builtIn }) => downloaded && !builtIn) ? (
          <button type="button" class="grave" onClick={() => void clear()}>
            {words.clear}
          </button>
        ) : null
      }
    >
      <div class="list-head">
        <TextField label={words.search} type="search" value={text} onValue={(q) => search({ q })} />
        <Switch
          label={words.onlyHere}
          isOn={query.here === 'true'}
          onChange={(isOn) => search({ here: isOn ? 'true' : undefined })}
        />
        <p class="quiet" role="status">
          {words.count(downloadedCount, totalCount)}
        </p>
      </div>
      {canChange ? <Voice /> : null}
      <Reading of={listed} />
      {models && wanted.length === 0 ? <p class="quiet">{words.none}</p> : null}
      <Rows label={words.list} rows={wanted} idOf={({ id }) => id} nameOf={({ name }) => name}>
        {(model) => (
          <>
            {isFirstOfType(wanted, model) ? <h2>{words.types[model.type]}</h2> : null}
            <OneModel
              model={model}
              progress={downloads.progress.get(model.id)}
              canChange={canChange}
              onDownload={() => void downloads.begin(model)}
              onChanged={listed.reload}
            />
          </>
        )}
      </Rows>
    </Page>
  );
}

function isFirstOfType(models: readonly Model[], model: Model): boolean {
  return models.find(({ type }) => type === model.type) === model;
}

function matcherOf(text: string, onlyHere: boolean): (model: Model) => boolean {
  const wanted = text.trim().toLowerCase().split(/\s+/);
  return ({ id, name, description, licence, languages, downloaded, downloading }) => {
    if (onlyHere && !downloaded && !downloading) return false;
    const all = [id, name, description, licence, ...languages].join(' ').toLowerCase();
    return wanted.every((word) => all.includes(word));
  };
}
