import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useKeys } from '../../state/keys.ts';
import { moment } from '../../state/moment.ts';
import { search } from '../../state/place.ts';
import { momentText, shareText } from '../../words/format.ts';
import { type Pair, settle } from './settling.ts';
import { OneSide } from './side.tsx';
import { words } from './words.ts';

/** One pair at a time, side by side. */
export function Open({ all, count }: { readonly all: readonly Pair[]; readonly count: number }) {
  const wanted = useLocation().query.pair;
  const isPast = moment.value !== undefined;
  // The pair that is looked at stays, whatever is found or decided elsewhere: an arrow decides that one and no other.
  const held = useRef<{ readonly pair?: Pair | undefined; readonly at: number }>({ at: 0 });
  /** What was decided here: it goes, and the next one comes. */
  const decided = useRef<string | undefined>(undefined);
  const { pair: before, at: stood } = held.current;
  const placeOf = (id: string | undefined) => all.findIndex((pair) => idOf(pair) === id);
  const found = [placeOf(wanted), placeOf(before && idOf(before))].find((place) => place >= 0);
  const isGone = !isPast && found === undefined && before !== undefined && idOf(before) !== decided.current;
  const at = found ?? Math.min(stood, isGone ? stood : all.length - 1);
  const pair = isGone ? before : all[at];
  held.current = { pair, at };
  const step = (by: number) => {
    // In the place of one that is gone stands the next.
    const place = isGone && by > 0 ? at : at + by;
    const next = all[(place + all.length) % all.length];
    held.current = { pair: next, at: 0 };
    if (next) search({ pair: idOf(next) });
  };
  const settleThis = async (id: string, contradicts: string, decision: Parameters<typeof settle>[2]) => {
    const name = pair && idOf(pair);
    if (decided.current === name) return;
    decided.current = name;
    const reopened = () => {
      if (decided.current === name) decided.current = undefined;
      // Whoever has gone to another page stays there.
      if (location.pathname === '/contradictions') search({ pair: name });
    };
    if (!(await settle(id, contradicts, decision, reopened)) && decided.current === name)
      decided.current = undefined;
  };
  const [left, right] = pair?.conclusions ?? [];
  const decisions =
    !left || !right || isPast || isGone
      ? []
      : [
          {
            key: 'ArrowLeft',
            sign: '←',
            says: words.keepLeft,
            act: () => settleThis(left.id, right.id, 'keep'),
          },
          {
            key: 'ArrowRight',
            sign: '→',
            says: words.keepRight,
            act: () => settleThis(right.id, left.id, 'keep'),
          },
          {
            key: 'ArrowUp',
            sign: '↑',
            says: words.bothInTime,
            act: () => settleThis(left.id, right.id, 'in-their-time'),
          },
          {
            key: 'ArrowDown',
            sign: '↓',
            says: words.none,
            act: () => settleThis(left.id, right.id, 'no-contradiction'),
          },
        ];
  useKeys([
    ...decisions.map(({ key, says, act }) => ({ key, says, act: () => void act() })),
    { key: 'j', says: words.next, act: () => step(1) },
    { key: 'k', says: words.previous, act: () => step(-1) },
  ]);
  if (!pair || !left || !right) return null;
  return (
    <>
      <div class="opposed-head">
        <p class="quiet small" role="status">
          {isGone ? (
            words.settledElsewhere
          ) : (
            <>
              {words.of(at + 1, count)} · <Evidence pair={pair} />
            </>
          )}
        </p>
        <div class="actions">
          <button type="button" class="icon" aria-label={words.previous} onClick={() => step(-1)}>
            ‹
          </button>
          <button type="button" class="icon" aria-label={words.next} onClick={() => step(1)}>
            ›
          </button>
        </div>
      </div>
      <div class="opposed">
        <OneSide key={left.id} name={words.left} belief={left} />
        <OneSide key={right.id} name={words.right} belief={right} />
      </div>
      {decisions.length === 0 ? null : (
        <fieldset class="opposed-decisions">
          <legend class="hidden-text">{words.decide}</legend>
          {decisions.map(({ sign, says, act }) => (
            <button key={says} type="button" onClick={({ detail }) => void (detail > 1 || act())}>
              <kbd>{sign}</kbd> {says}
            </button>
          ))}
        </fieldset>
      )}
    </>
  );
}

export function idOf({ conclusions: [one, other] }: Pair): string {
  return `${one.id}.${other.id}`;
}

/** By what it was found. */
function Evidence({ pair: { at, evidence } }: { readonly pair: Pair }) {
  const told = evidence
    ? [
        `${shareText(evidence.similarity)} ${words.similarity}`,
        ...(evidence.signs.length > 0 ? [words.bySign] : []),
        ...(evidence.nli ? [words.byModel(evidence.nli.model, shareText(evidence.nli.probability))] : []),
        ...(evidence.judge
          ? [words.byModel(evidence.judge.model, shareText(evidence.judge.confidence))]
          : []),
      ].join(', ')
    : words.inTalk;
  return (
    <>
      {words.found} {momentText(at)}: <bdi>{told}</bdi>
    </>
  );
}
