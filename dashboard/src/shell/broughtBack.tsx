import { useState } from 'preact/hooks';
import { ask } from '../api/ask.ts';
import { useRead } from '../api/resource.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Plain } from '../parts/plain.tsx';
import { useSome } from '../parts/some.tsx';
import { Reading } from '../parts/states.tsx';
import { attempt, tell } from '../parts/toasts.tsx';
import {
  type Belief,
  type Difference,
  differenceSince,
  type OtherChange,
  type ProfileChange,
  toldOf,
} from '../state/difference.ts';
import { momentText } from '../words/format.ts';
import { time } from '../words/time.ts';
import { Became } from './compared.tsx';

const SHOWN = 100;

interface BroughtBackProps {
  readonly at: number;
  readonly onClose: () => void;
}

/** What stood then and was put aside since can stand again: chosen here, done by this button alone, and told after. */
export function BroughtBack({ at, onClose }: BroughtBackProps) {
  const read = useRead(`${at}`, (signal) => differenceSince(at, signal));
  const { value: difference } = read.data;
  return (
    <Dialog title={time.restoreTitle(momentText(at))} onClose={onClose} wide stays>
      <Reading of={read} />
      {difference ? <Choice difference={difference} onClose={onClose} /> : null}
    </Dialog>
  );
}

interface Receipt {
  readonly restored: readonly string[];
  readonly refused: readonly string[];
}

/** Something that can be as it was then. */
interface Restorable {
  readonly id: string;
  readonly text: string;
  readonly label?: string;
  readonly now: Belief | undefined;
  readonly profile?: ProfileChange;
  readonly set?: OtherChange['set'];
}

function restorableIn({ gone, profile, others }: Difference): readonly Restorable[] {
  return [
    ...gone.flatMap(({ before: { id, text }, now }) => (now ? [{ id, text, now }] : [])),
    ...profile.flatMap((change) => {
      const { field, before } = change;
      const text = toldOf(before, field);
      return before ? [{ id: field, text, label: time.fields[field], now: undefined, profile: change }] : [];
    }),
    ...others.flatMap(({ area, id, before, set }) =>
      set && before !== undefined
        ? [{ id: `${area} ${id}`, text: before, label: time.areas[area], now: undefined, set }]
        : [],
    ),
  ];
}

function Choice({ difference, onClose }: { readonly difference: Difference; readonly onClose: () => void }) {
  const all = restorableIn(difference);
  const erased = difference.gone.filter(({ now }) => !now).length;
  // Beliefs come back unless somebody says otherwise; what the service does changes only where somebody wants it.
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () => new Set(all.flatMap(({ id, set }) => (set ? [id] : []))),
  );
  const [receipt, setReceipt] = useState<Receipt>();
  const [isBusy, setBusy] = useState(false);
  const wanted = all.filter(({ id }) => !left.has(id));
  const { some, more } = useSome(all, SHOWN);
  if (receipt) return <Told receipt={receipt} onClose={onClose} />;
  const restore = async () => {
    setBusy(true);
    setReceipt(await restoreAll(wanted));
  };
  return (
    <>
      <p>{all.length === 0 ? time.nothingToRestore : time.restoreAbout}</p>
      {all.length < 2 ? null : (
        <label class="check">
          <input
            type="checkbox"
            checked={left.size === 0}
            onChange={() => setLeft(new Set(left.size === 0 ? all.map(({ id }) => id) : []))}
          />
          {time.all}
        </label>
      )}
      <ul class="time-difference">
        {some.map(({ id, text, label, now }) => (
          <li key={id}>
            <label class="check">
              <input
                type="checkbox"
                checked={!left.has(id)}
                onChange={() => setLeft(left.symmetricDifference(new Set([id])))}
              />
              <span>
                {label === undefined ? null : <span class="quiet small">{label}: </span>}
                <Plain text={text} most={300} /> {now ? <Became now={now} /> : null}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {more}
      {erased > 0 ? <p class="quiet">{time.erasedStays(erased)}</p> : null}
      {all.length === 0 ? null : (
        <div class="actions end">
          <button type="button" class="main" disabled={wanted.length === 0 || isBusy} onClick={restore}>
            {time.restoreThese(wanted.length)}
          </button>
        </div>
      )}
    </>
  );
}

const AT_ONCE = 500;

/** What cannot be restored any more is named, and holds up no other. All of it can be undone at once. */
async function restoreAll(wanted: readonly Restorable[]): Promise<Receipt> {
  const beliefs = beliefsIn(wanted);
  const profile = wanted.flatMap((one) => (one.profile ? [one.profile] : []));
  const done: string[] = [];
  for (let from = 0; from < beliefs.length; from += AT_ONCE) {
    const ids = beliefs.slice(from, from + AT_ONCE);
    const answer = await attempt(() => ask('POST /api/memory/conclusions/restore', { ids }));
    done.push(...(answer?.restored ?? []));
  }
  for (const { field, before = {} } of profile)
    if (await attempt(() => ask('PUT /api/memory/profile', before))) done.push(field);
  for (const { id, set } of wanted) if (set && (await attempt(set.before))) done.push(id);
  const isDone = new Set(done);
  if (done.length > 0) tell(time.restored(done.length), () => takeBack(isDone, wanted));
  return {
    restored: wanted.filter(({ id }) => isDone.has(id)).map(({ text }) => text),
    refused: wanted.filter(({ id }) => !isDone.has(id)).map(({ text }) => text),
  };
}

/** Puts aside again what was restored, and writes the profile as it was before that. */
async function takeBack(done: ReadonlySet<string>, wanted: readonly Restorable[]): Promise<true> {
  const beliefs = beliefsIn(wanted.filter(({ id }) => done.has(id)));
  for (let from = 0; from < beliefs.length; from += AT_ONCE)
    await ask('POST /api/memory/conclusions/dismiss', { ids: beliefs.slice(from, from + AT_ONCE) });
  for (const { id, profile, set } of wanted) {
    if (!done.has(id)) continue;
    if (profile?.now) await ask('PUT /api/memory/profile', profile.now);
    await set?.now();
  }
  return true;
}

function beliefsIn(some: readonly Restorable[]): readonly string[] {
  return some.flatMap(({ id, profile, set }) => (profile || set ? [] : [id]));
}

interface ToldProps {
  readonly receipt: Receipt;
  readonly onClose: () => void;
}

function Told({ receipt: { restored, refused }, onClose }: ToldProps) {
  return (
    <>
      <h3>{time.restored(restored.length)}</h3>
      <List texts={restored} />
      {refused.length === 0 ? null : (
        <>
          <h3>{time.notRestored(refused.length)}</h3>
          <List texts={refused} />
        </>
      )}
      <div class="actions end">
        <button type="button" class="main" onClick={onClose}>
          {time.done}
        </button>
      </div>
    </>
  );
}

function List({ texts }: { readonly texts: readonly string[] }) {
  const { some, more } = useSome(texts, SHOWN);
  return (
    <>
      <ul class="time-difference">
        {some.map((text, index) => (
          <li key={index}>
            <Plain text={text} most={300} />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}
