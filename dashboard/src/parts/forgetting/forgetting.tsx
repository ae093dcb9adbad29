import './forgetting.css';
import { useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { Dialog } from '../dialog.tsx';
import { Plain } from '../plain.tsx';
import { Reading } from '../states.tsx';
import { attempt } from '../toasts.tsx';
import { type Erasing, type Extent, erase, type Forgettable, type Receipt, scopeOf } from './erasure.ts';
import { Proof } from './proof.tsx';
import { words } from './words.ts';

interface ForgettingProps {
  readonly what: Forgettable;
  readonly onClose: (wasErased: boolean) => void;
}

/**
 * Erases something for good: before, it says what nobody will be able to read any more, by kind and number; after, it
 * shows the receipt. What can be taken back is not its business.
 */
export function Forgetting({ what, onClose }: ForgettingProps) {
  const read = useResource('GET /api/memory/extent', scopeOf(what));
  const { value: extent } = read.data;
  const [withWords, setWithWords] = useState(true);
  const [isSure, setSure] = useState(what.kind !== 'everything');
  const [isErasing, setErasing] = useState(false);
  const [receipt, setReceipt] = useState<Receipt>();
  const [events, setEvents] = useState<readonly Erasing[]>([]);
  const gone = withWords || what.kind !== 'conclusion' ? extent : onlyItself;
  const doIt = async () => {
    setErasing(true);
    const done = await attempt(() => erase(what, withWords, setEvents));
    setErasing(false);
    if (done) setReceipt(done);
  };
  const close = () => onClose(receipt !== undefined);
  if (receipt && gone)
    return (
      <Dialog key="" title={words.receipt} onClose={close}>
        <Proof receipt={receipt} events={events} onDone={close}>
          <Counts extent={gone} isAll={what.kind === 'everything'} />
        </Proof>
      </Dialog>
    );
  return (
    <Dialog title={words.titles[what.kind]} onClose={close}>
      {what.kind !== 'everything' && what.text ? (
        <blockquote class="quoted">
          <Plain text={what.text} most={400} />
        </blockquote>
      ) : null}
      {what.kind === 'conclusion' ? <HowMuch withWords={withWords} onChoose={setWithWords} /> : null}
      <Reading of={read} />
      {gone ? (
        <>
          <p>{words.before}</p>
          <Counts extent={gone} isAll={what.kind === 'everything'} />
          <p class="quiet small">{words.final}</p>
        </>
      ) : null}
      {what.kind === 'everything' ? (
        <label class="check">
          <input
            type="checkbox"
            checked={isSure}
            onChange={(event) => setSure(event.currentTarget.checked)}
          />
          {words.sure}
        </label>
      ) : null}
      <div class="actions end">
        <button
          type="button"
          class="main grave"
          disabled={!gone || !isSure || isErasing}
          onClick={() => void doIt()}
        >
          {isErasing ? words.erasing : words.erase}
        </button>
      </div>
    </Dialog>
  );
}

const nothing: Extent = {
  messages: 0,
  ...{ episodes: 0, conclusions: 0, entities: 0, relationships: 0, hasProfile: false, tasks: 0 },
};
const onlyItself: Extent = { ...nothing, conclusions: 1 };

function HowMuch({
  withWords,
  onChoose,
}: {
  readonly withWords: boolean;
  readonly onChoose: (withWords: boolean) => void;
}) {
  return (
    <fieldset class="how-much">
      <legend class="hidden-text">{words.how}</legend>
      {[true, false].map((value) => (
        <label key={String(value)} class="check">
          <input
            type="radio"
            name="how-much"
            checked={withWords === value}
            onChange={() => onChoose(value)}
          />
          {value ? words.withWords : words.alone}
        </label>
      ))}
      {withWords ? null : <p class="quiet small">{words.aloneHint}</p>}
    </fieldset>
  );
}

const kinds = ['messages', 'episodes', 'conclusions', 'entities', 'relationships', 'tasks'] as const;

/** By kind and number; what there is none of is left out. */
function Counts({ extent, isAll }: { readonly extent: Extent; readonly isAll: boolean }) {
  const lines = [
    ...(isAll ? [words.conversations] : []),
    ...kinds.flatMap((kind) => (extent[kind] ? [words.counts[kind](extent[kind])] : [])),
    ...(extent.hasProfile ? [words.profile] : []),
  ];
  if (lines.length === 0) return <p>{words.nothing}</p>;
  return (
    <ul class="extent">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
