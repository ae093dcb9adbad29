import { useState } from 'preact/hooks';
import { ask } from '../api/ask.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Plain } from '../parts/plain.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { tell } from '../parts/toasts.tsx';
import type { Belief, Difference } from '../state/difference.ts';
import { momentText } from '../words/format.ts';
import { time } from '../words/time.ts';
import { Became } from './compared.tsx';
import { useDifference } from './useDifference.ts';

interface BroughtBackProps {
  readonly at: number;
  readonly onClose: () => void;
}

/** What stood then and was put aside since can stand again: chosen here, done by this button alone, and told after. */
export function BroughtBack({ at, onClose }: BroughtBackProps) {
  const { difference, refusal } = useDifference(at);
  return (
    <Dialog title={time.restoreTitle(momentText(at))} onClose={onClose} wide>
      {refusal ? <Failure refusal={refusal} /> : null}
      {!difference && !refusal ? <Loading /> : null}
      {difference ? <Choice difference={difference} onClose={onClose} /> : null}
    </Dialog>
  );
}

interface Receipt {
  readonly restored: readonly Belief[];
  readonly refused: readonly Belief[];
}

function Choice({ difference, onClose }: { readonly difference: Difference; readonly onClose: () => void }) {
  const kept = difference.gone.filter(({ now }) => now);
  const erased = difference.gone.length - kept.length;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [receipt, setReceipt] = useState<Receipt>();
  const [isBusy, setBusy] = useState(false);
  const wanted = kept.filter(({ before }) => !left.has(before.id)).map(({ before }) => before);
  if (receipt) return <Told receipt={receipt} onClose={onClose} />;
  const restore = async () => {
    setBusy(true);
    const done = await restoreAll(wanted);
    tell(time.restored(done.restored.length));
    setReceipt(done);
  };
  return (
    <>
      {kept.length === 0 ? <p>{time.nothingToRestore}</p> : <p>{time.restoreAbout}</p>}
      <ul class="difference">
        {kept.map(({ before, now }) => (
          <li key={before.id}>
            <label class="check">
              <input
                type="checkbox"
                checked={!left.has(before.id)}
                onChange={() => setLeft(left.symmetricDifference(new Set([before.id])))}
              />
              <span>
                <Plain text={before.text} /> <Became now={now} />
              </span>
            </label>
          </li>
        ))}
      </ul>
      {erased > 0 ? <p class="quiet">{time.erasedStays(erased)}</p> : null}
      {kept.length === 0 ? null : (
        <div class="actions end">
          <button type="button" class="main" disabled={wanted.length === 0 || isBusy} onClick={restore}>
            {time.restoreThese(wanted.length)}
          </button>
        </div>
      )}
    </>
  );
}

/** One after the other: what cannot be restored any more is named, and holds up no other. */
async function restoreAll(beliefs: readonly Belief[]): Promise<Receipt> {
  const restored: Belief[] = [];
  const refused: Belief[] = [];
  for (const belief of beliefs) {
    const isDone = await ask('POST /api/memory/conclusions/:id/restore', { id: belief.id }).then(
      () => true,
      () => false,
    );
    (isDone ? restored : refused).push(belief);
  }
  return { restored, refused };
}

function Told({
  receipt: { restored, refused },
  onClose,
}: {
  readonly receipt: Receipt;
  readonly onClose: () => void;
}) {
  return (
    <>
      <h3>{time.restored(restored.length)}</h3>
      <List beliefs={restored} />
      {refused.length === 0 ? null : (
        <>
          <h3>{time.notRestored(refused.length)}</h3>
          <List beliefs={refused} />
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

function List({ beliefs }: { readonly beliefs: readonly Belief[] }) {
  return (
    <ul class="difference">
      {beliefs.map(({ id, text }) => (
        <li key={id}>
          <Plain text={text} />
        </li>
      ))}
    </ul>
  );
}
