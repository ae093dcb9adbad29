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
  // The pair that is looked at stays, whatever is found meanwhile: an arrow decides that one and no other.
  const held = useRef({ id: wanted, at: 0 });
  const placeOf = (id: string | undefined) => all.findIndex((pair) => idOf(pair) === id);
  const found = [placeOf(wanted), placeOf(held.current.id)].find((place) => place >= 0);
  const at = found ?? Math.min(held.current.at, all.length - 1);
  const pair = all[at];
  held.current = { id: pair && idOf(pair), at };
  const isPast = moment.value !== undefined;
  const step = (by: number) => {
    const next = all[(at + by + all.length) % all.length];
    if (next) search({ pair: idOf(next) });
  };
  const [left, right] = pair?.conclusions ?? [];
  const decisions =
    !left || !right || isPast
      ? []
      : [
          {
            key: 'ArrowLeft',
            sign: '←',
            says: words.keepLeft,
            act: () => settle(left.id, right.id, 'keep'),
          },
          {
            key: 'ArrowRight',
            sign: '→',
            says: words.keepRight,
            act: () => settle(right.id, left.id, 'keep'),
          },
          {
            key: 'ArrowUp',
            sign: '↑',
            says: words.bothInTime,
            act: () => settle(left.id, right.id, 'in-their-time'),
          },
          {
            key: 'ArrowDown',
            sign: '↓',
            says: words.none,
            act: () => settle(left.id, right.id, 'no-contradiction'),
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
          {words.of(at + 1, count)} · <Evidence pair={pair} />
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
      {isPast ? null : (
        <fieldset class="opposed-decisions">
          <legend class="hidden-text">{words.decide}</legend>
          {decisions.map(({ sign, says, act }) => (
            <button key={says} type="button" onClick={() => void act()}>
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
