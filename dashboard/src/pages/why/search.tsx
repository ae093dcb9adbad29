import './why.css';
import { useLocation } from 'preact-iso';
import { useResource } from '../../api/resource.ts';
import { TextField } from '../../parts/fields.tsx';
import { Go } from '../../parts/go.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { asItWas } from '../../state/moment.ts';
import { go, search } from '../../state/place.ts';
import { shareText } from '../../words/format.ts';
import { Asking } from './asking.tsx';
import { words } from './words.ts';

const SHOWN = 50;

/** Which belief it is about: found as one types. */
export function Search() {
  const wanted = useLocation().query.q ?? '';
  const asked = { ...asItWas(), q: wanted.trim(), limit: SHOWN };
  const beliefs = useResource('GET /api/memory/conclusions', asked, ['memory.*']);
  const { value: found } = beliefs.data;
  return (
    <Page title={words.title} about={words.about}>
      <Reading of={beliefs} />
      {found ? (
        <>
          <search class="why-search">
            <Asking question={wanted.trim()}>
              <TextField
                label={words.search}
                placeholder={words.hint}
                type="search"
                autocomplete="off"
                value={wanted}
                onValue={(q) => search({ q })}
              />
            </Asking>
            <p class="quiet small" role="status">
              {words.showing(found.conclusions.length, found.total)}
            </p>
          </search>
          {found.total === 0 ? (
            <Empty title={wanted.trim() === '' ? words.empty : words.none}>
              <p>{wanted.trim() === '' ? words.emptyNext : words.noneNext}</p>
            </Empty>
          ) : (
            <Rows
              label={words.beliefs}
              rows={found.conclusions}
              idOf={({ id }) => id}
              nameOf={({ text }) => text}
              onOpen={({ id }) => go(`/why/${id}`)}
              keys={[{ key: 'w', says: words.open, act: ({ id }) => go(`/why/${id}`) }]}
            >
              {({ id, text, confidence }) => (
                <Go to={`/why/${id}`} class="why-row">
                  <span class="why-said">
                    <Plain text={text} most={300} />
                  </span>
                  <span class="number quiet">{shareText(confidence)}</span>
                </Go>
              )}
            </Rows>
          )}
        </>
      ) : null}
    </Page>
  );
}
