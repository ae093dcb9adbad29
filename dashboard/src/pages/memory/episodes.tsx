import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask, type Output } from '../../api/ask.ts';
import { usePages } from '../../api/pagesOf.ts';
import { Act } from '../../parts/act.tsx';
import { Find } from '../../parts/find.tsx';
import { Forgetting } from '../../parts/forgetting/forgetting.tsx';
import { More } from '../../parts/more.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useKeys } from '../../state/keys.ts';
import { asItWas, moment } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { dayText, shareText } from '../../words/format.ts';
import { memoryTopics } from './conclusion.ts';
import { words } from './words.ts';

/** Beyond it lies no day that anybody counts on: the episode is kept for good. */
const FAR = Date.UTC(3000, 0);
type Episode = Output<'GET /api/memory/episodes'>['episodes'][number];

/** Conversations as they are remembered. Now they are found by what they mean, in the past by their words. */
export function Episodes() {
  const { q } = useLocation().query;
  const then = asItWas();
  const list = usePages(
    JSON.stringify([q, then]),
    async (after, signal) => {
      if (q && then.at === undefined) {
        const { results, count } = await ask('GET /api/memory/search', { q, limit: 50 }, { signal });
        return { rows: results, total: count };
      }
      const input = { limit: 50, ...then, ...(q ? { q } : {}), ...(after === undefined ? {} : { after }) };
      const { episodes, total, next } = await ask('GET /api/memory/episodes', input, { signal });
      return { rows: episodes, total, next };
    },
    memoryTopics,
  );
  const [erasing, setErasing] = useState<Episode>();
  const find = useRef<HTMLInputElement>(null);
  useKeys([{ key: '/', says: words.find, act: () => find.current?.focus() }]);
  const rows = list.data.value;
  const keys = moment.value === undefined ? [{ key: 'x', says: words.erase, act: setErasing }] : [];
  return (
    <>
      <search class="find-bar">
        <Find label={words.find} hint={words.findHint} value={q ?? ''} field={find} />
      </search>
      <Reading of={list} />
      <p class="find-count quiet small" role="status">
        {rows === undefined ? '' : words.episodesFound(list.total.value)}
      </p>
      {rows?.length === 0 ? (
        q ? (
          <Empty title={words.noneFound}>
            <button type="button" onClick={() => search({ q: undefined })}>
              {words.clear}
            </button>
          </Empty>
        ) : (
          <Empty title={words.noEpisodes}>
            <p>{words.noEpisodesNext}</p>
          </Empty>
        )
      ) : null}
      {rows && rows.length > 0 ? (
        <Rows
          label={words.episodes}
          rows={rows}
          idOf={({ id }) => id}
          nameOf={({ summary }) => summary}
          keys={keys}
        >
          {(episode) => (
            <EpisodeRow
              episode={episode}
              {...(moment.value === undefined ? { onErase: () => setErasing(episode) } : {})}
            />
          )}
        </Rows>
      ) : null}
      {list.hasMore.value && rows ? (
        <More onMore={list.more} shown={rows.length} total={list.total.value} />
      ) : null}
      {erasing ? (
        <Forgetting
          what={{ kind: 'episode', id: erasing.id, text: erasing.summary }}
          onClose={() => setErasing(undefined)}
        />
      ) : null}
    </>
  );
}

function EpisodeRow({ episode, onErase }: { readonly episode: Episode; readonly onErase?: () => void }) {
  const { summary, topic, timestamp, importance, match, expiresAt, flagged, keywords } = episode;
  return (
    <div class="conclusion past">
      <div>
        <p class="statement">
          <Plain text={summary} most={600} />
        </p>
        {match ? (
          <blockquote class="episode-match">
            <Plain text={match.text} most={400} />
          </blockquote>
        ) : null}
        <p class="standing quiet small">
          <Time at={timestamp} />
          {topic === '' ? null : (
            <span>
              {words.about_} <Plain text={topic} most={80} />
            </span>
          )}
          <span>{words.matters(shareText(importance))}</span>
          {expiresAt > FAR ? null : (
            <span>
              {words.keptUntil} {dayText(expiresAt)}
            </span>
          )}
          {flagged ? <span>{words.flagged}</span> : null}
          {topic === '' && keywords.length > 0 ? (
            <Plain text={keywords.slice(0, 8).join(', ')} most={200} />
          ) : null}
        </p>
      </div>
      {onErase ? (
        <span class="row-actions">
          <Act says={words.erase} what={summary} class="link grave small" onClick={onErase} />
        </span>
      ) : null}
    </div>
  );
}
