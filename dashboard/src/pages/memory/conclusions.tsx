import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask } from '../../api/ask.ts';
import { usePages } from '../../api/pagesOf.ts';
import { Forgetting } from '../../parts/forgetting/forgetting.tsx';
import { More } from '../../parts/more.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Empty, Reading } from '../../parts/states.tsx';
import { useKeys } from '../../state/keys.ts';
import { asItWas, moment } from '../../state/moment.ts';
import { go, search } from '../../state/place.ts';
import { ChosenBar } from './chosenBar.tsx';
import { type Conclusion, dismiss, memoryTopics, restore } from './conclusion.ts';
import { ConclusionRow, type RowActions } from './conclusionRow.tsx';
import { Correcting } from './correcting.tsx';
import { Filters, filtersIn } from './filters.tsx';
import { words } from './words.ts';

const PAGE = 100;

/** What is believed, or was: found as one types, read page by page. */
export function Conclusions() {
  const { query } = useLocation();
  const filters = filtersIn(query);
  const asked = { ...filters, ...asItWas() };
  const list = usePages(
    JSON.stringify(asked),
    async (after, signal) => {
      const input = { ...asked, limit: PAGE, ...(after === undefined ? {} : { after }) };
      const { conclusions: rows, total, next } = await ask('GET /api/memory/conclusions', input, { signal });
      return { rows, total, next };
    },
    memoryTopics,
  );
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<string>();
  const [correcting, setCorrecting] = useState<Conclusion>();
  const [erasing, setErasing] = useState<Conclusion>();
  const isPast = moment.value !== undefined;
  useLayoutEffect(() => setChosen(new Set()), [JSON.stringify(asked)]);
  const actions = useActions({ setChosen, setOpened, setCorrecting, setErasing });
  const find = useRef<HTMLInputElement>(null);
  const onlyNow = (keys: readonly { key: string; says: string; act: (row: Conclusion) => void }[]) =>
    isPast ? [] : keys;
  useKeys([{ key: '/', says: words.find, act: () => find.current?.focus() }]);
  const rows = list.data.value;
  const isFiltered = Object.values({ ...filters, status: undefined, order: undefined }).some(Boolean);
  return (
    <>
      <Filters filters={filters} field={find} />
      <Reading of={list} />
      <p class="find-count quiet small" role="status">
        {rows === undefined ? '' : words.found(list.total.value)}
      </p>
      {rows?.some(({ id }) => chosen.has(id)) ? (
        <ChosenBar
          chosen={rows.filter(({ id }) => chosen.has(id))}
          onAll={() => setChosen(new Set(rows.map(({ id }) => id)))}
          onNone={() => setChosen(new Set())}
          // What was chosen since stays chosen.
          onDone={(ids) => setChosen((all) => all.difference(new Set(ids)))}
        />
      ) : null}
      {rows?.length === 0 ? <NoConclusions isFiltered={isFiltered || filters.status !== 'active'} /> : null}
      {rows && rows.length > 0 ? (
        <Rows
          label={words.list}
          rows={rows}
          idOf={({ id }) => id}
          nameOf={({ text }) => text}
          onOpen={actions.open}
          keys={[
            { key: 'w', says: words.why, act: ({ id }) => go(`/why/${encodeURIComponent(id)}`) },
            ...onlyNow([
              { key: 'e', says: words.correct, act: actions.correct },
              { key: 'x', says: words.forget, act: actions.forget },
              { key: 'm', says: words.choose, act: actions.choose },
            ]),
          ]}
        >
          {(row) => (
            <ConclusionRow
              row={row}
              isChosen={chosen.has(row.id)}
              isOpen={opened === row.id}
              isPast={isPast}
              actions={actions}
            />
          )}
        </Rows>
      ) : null}
      {list.hasMore.value && rows ? (
        <More onMore={list.more} shown={rows.length} total={list.total.value} />
      ) : null}
      {correcting ? <Correcting was={correcting} onClose={() => setCorrecting(undefined)} /> : null}
      {erasing ? (
        <Forgetting
          what={{ kind: 'conclusion', id: erasing.id, text: erasing.text }}
          onClose={() => setErasing(undefined)}
        />
      ) : null}
    </>
  );
}

interface Setters {
  readonly setChosen: (change: (before: ReadonlySet<string>) => ReadonlySet<string>) => void;
  readonly setOpened: (change: (before: string | undefined) => string | undefined) => void;
  readonly setCorrecting: (row: Conclusion) => void;
  readonly setErasing: (row: Conclusion) => void;
}

/** The same for as long as the page is there: a row that did not change is not drawn anew. */
function useActions({ setChosen, setOpened, setCorrecting, setErasing }: Setters): RowActions {
  return useMemo(
    () => ({
      open: ({ id }) => setOpened((before) => (before === id ? undefined : id)),
      choose: ({ id }) =>
        setChosen((before) => {
          const after = new Set(before);
          if (!after.delete(id)) after.add(id);
          return after;
        }),
      correct: (row) => {
        if (row.status === 'active') setCorrecting(row);
      },
      forget: (row) => {
        if (row.status === 'active') void dismiss([row.id]);
        else setErasing(row);
      },
      restore: ({ id }) => void restore([id]),
      erase: setErasing,
    }),
    [],
  );
}

function NoConclusions({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered)
    return (
      <Empty title={words.nothing}>
        <p>{words.nothingNext}</p>
      </Empty>
    );
  const clear = () => search({ q: undefined, type: undefined, status: undefined, min: undefined });
  return (
    <Empty title={words.noneFound}>
      <p>{words.noneFoundNext}</p>
      <button type="button" onClick={clear}>
        {words.clear}
      </button>
    </Empty>
  );
}
