import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask } from '../../api/ask.ts';
import { usePages } from '../../api/pagesOf.ts';
import { useResource } from '../../api/resource.ts';
import { SelectField } from '../../parts/fields.tsx';
import { Find } from '../../parts/find.tsx';
import { Forgetting } from '../../parts/forgetting/forgetting.tsx';
import { Go } from '../../parts/go.tsx';
import { More } from '../../parts/more.tsx';
import { Page } from '../../parts/page.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useKeys } from '../../state/keys.ts';
import { asItWas, moment } from '../../state/moment.ts';
import { go, search } from '../../state/place.ts';
import { type Entity, entityTopics, entityTypes, pathOf } from './entity.ts';
import { words } from './words.ts';

const PAGE = 100;

/** Who and what is known by name, last named first. */
export function EntityList() {
  const { query } = useLocation();
  const type = entityTypes.find((one) => one === query.type);
  const asked = { ...(query.q ? { q: query.q } : {}), ...(type ? { type } : {}), ...asItWas() };
  const list = usePages(
    JSON.stringify(asked),
    async (after, signal) => {
      const input = { ...asked, limit: PAGE, ...(after === undefined ? {} : { after }) };
      const { entities: rows, total, next } = await ask('GET /api/entities', input, { signal });
      return { rows, total, next };
    },
    entityTopics,
  );
  const [erasing, setErasing] = useState<Entity>();
  const find = useRef<HTMLInputElement>(null);
  useKeys([{ key: '/', says: words.find, act: () => find.current?.focus() }]);
  const rows = list.data.value;
  const keys = moment.value === undefined ? [{ key: 'x', says: words.forget, act: setErasing }] : [];
  return (
    <Page title={words.title} about={words.about}>
      <Stats />
      <search class="find-bar">
        <Find label={words.find} hint={words.findHint} value={query.q ?? ''} field={find} />
        <SelectField
          label={words.type}
          value={type ?? 'any'}
          options={(['any', ...entityTypes] as const).map((value) => ({ value, says: words.types[value] }))}
          onValue={(value) => search({ type: value === 'any' ? undefined : value })}
        />
      </search>
      <Reading of={list} />
      <p class="find-count quiet small" role="status">
        {rows === undefined ? '' : words.found(list.total.value)}
      </p>
      {rows?.length === 0 ? <Nobody isFiltered={Boolean(query.q || type)} /> : null}
      {rows && rows.length > 0 ? (
        <Rows
          label={words.list}
          rows={rows}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          onOpen={({ id }) => go(pathOf(id))}
          keys={keys}
        >
          {(entity) => <EntityRow entity={entity} />}
        </Rows>
      ) : null}
      {list.hasMore.value && rows ? (
        <More onMore={list.more} shown={rows.length} total={list.total.value} />
      ) : null}
      {erasing ? (
        <Forgetting
          what={{ kind: 'entity', id: erasing.id, text: erasing.name }}
          onClose={() => setErasing(undefined)}
        />
      ) : null}
    </Page>
  );
}

function Stats() {
  const stats = useResource('GET /api/entities/stats', asItWas(), entityTopics).data.value;
  if (!stats || stats.total === 0) return null;
  return (
    <ul class="entity-stats" aria-label={words.stats}>
      {entityTypes.flatMap((type) => {
        const count = stats.byType[type] ?? 0;
        return count === 0 ? [] : [<li key={type}>{words.many[type](count)}</li>];
      })}
      <li>{words.relationships(stats.relationships)}</li>
    </ul>
  );
}

function EntityRow({ entity }: { readonly entity: Entity }) {
  const { id, name, type, aliases, mentions, lastSeenAt } = entity;
  return (
    <div class="entity">
      <Go to={pathOf(id)} class="entity-name" tabIndex={-1}>
        <Plain text={name} most={200} />
      </Go>
      <p class="standing quiet small">
        <span>{words.types[type]}</span>
        <span>{words.mentions(mentions)}</span>
        <span>
          {words.seen} <Time at={lastSeenAt} />
        </span>
        {aliases.length > 0 ? (
          <span>
            {words.alias} <Plain text={aliases.join(', ')} most={200} />
          </span>
        ) : null}
      </p>
    </div>
  );
}

function Nobody({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <Empty title={words.nothing}>
        <p>{words.nothingNext}</p>
      </Empty>
    );
  return (
    <Empty title={words.noneFound}>
      <button type="button" onClick={() => search({ q: undefined, type: undefined })}>
        {words.clear}
      </button>
    </Empty>
  );
}
