import { Component } from 'preact';
import { Go } from '../../parts/go.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Plain, rowNamed } from '../../parts/plain.tsx';
import { Time } from '../../parts/time.tsx';
import { shareText } from '../../words/format.ts';
import type { Conclusion } from './conclusion.ts';
import { ConclusionDetails } from './conclusionDetails.tsx';
import { words } from './words.ts';

export interface RowActions {
  readonly open: (row: Conclusion) => void;
  readonly choose: (row: Conclusion) => void;
  readonly correct: (row: Conclusion) => void;
  readonly forget: (row: Conclusion) => void;
  readonly restore: (row: Conclusion) => void;
  readonly erase: (row: Conclusion) => void;
}

interface RowProps {
  readonly row: Conclusion;
  readonly isChosen: boolean;
  readonly isOpen: boolean;
  readonly isPast: boolean;
  readonly actions: RowActions;
}

const SHOWN = 600;

/** One of many: drawn anew only where something of it has changed. */
export class ConclusionRow extends Component<RowProps> {
  override shouldComponentUpdate({ row, isChosen, isOpen, isPast }: RowProps): boolean {
    const { props } = this;
    return (
      props.row !== row || props.isChosen !== isChosen || props.isOpen !== isOpen || props.isPast !== isPast
    );
  }

  override render({ row, isChosen, isOpen, isPast, actions }: RowProps) {
    const { id, text } = row;
    return (
      <div class={isPast ? 'conclusion past' : 'conclusion'}>
        {isPast ? null : (
          <input
            type="checkbox"
            aria-label={words.choose}
            {...rowNamed(text)}
            checked={isChosen}
            onChange={() => actions.choose(row)}
          />
        )}
        <div>
          <button type="button" class="statement" aria-expanded={isOpen} onClick={() => actions.open(row)}>
            <Shown text={text} isOpen={isOpen} />
          </button>
          <Standing row={row} />
        </div>
        <span class="row-actions">
          <Go to={`/why/${encodeURIComponent(id)}`} {...rowNamed(text)}>
            {words.why}
          </Go>
          {isPast ? null : <Menu label={words.more} of={text} items={itemsOf(row, actions)} />}
        </span>
        {isOpen ? <ConclusionDetails id={id} /> : null}
      </div>
    );
  }
}

/** No button within the button: of a long one the rest is shown with the details. */
function Shown({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }) {
  const isCut = !isOpen && text.length > SHOWN;
  return <Plain text={isCut ? `${text.slice(0, SHOWN)}…` : text} most={Number.POSITIVE_INFINITY} />;
}

function Standing({ row }: { readonly row: Conclusion }) {
  const { type, confidence, updatedAt, stale, contradicts, status } = row;
  return (
    <p class="standing quiet small">
      <span>{words.certain(shareText(confidence))}</span>
      <span>{words.typeOf[type]}</span>
      <Time at={updatedAt} />
      {status === 'active' ? null : <span>{words.statuses[status]}</span>}
      {stale ? <span>{words.stale}</span> : null}
      {contradicts.length > 0 ? (
        <Go to="/contradictions" class="wrong">
          {words.contradicts(contradicts.length)}
        </Go>
      ) : null}
    </p>
  );
}

function itemsOf(row: Conclusion, actions: RowActions) {
  const erase = { says: words.erase, isGrave: true, act: () => actions.erase(row) };
  if (row.status !== 'active') return [{ says: words.restore, act: () => actions.restore(row) }, erase];
  return [
    { says: words.correct, act: () => actions.correct(row) },
    { says: words.forget, act: () => actions.forget(row) },
    erase,
  ];
}
