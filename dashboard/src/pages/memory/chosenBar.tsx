import { useRef } from 'preact/hooks';
import { type Conclusion, dismiss, restore } from './conclusion.ts';
import { words } from './words.ts';

interface ChosenBarProps {
  readonly chosen: readonly Conclusion[];
  readonly onAll: () => void;
  readonly onNone: () => void;
  /** With these something was done. */
  readonly onDone: (ids: readonly string[]) => void;
}

/** What can be done with many at once, and taken back as one. */
export function ChosenBar({ chosen, onAll, onNone, onDone }: ChosenBarProps) {
  const active = chosen.filter(({ status }) => status === 'active').map(({ id }) => id);
  const aside = chosen.filter(({ status }) => status !== 'active').map(({ id }) => id);
  const isBusy = useRef(false);
  // Twice the same would be refused, as if nothing had been done.
  const once = async (act: typeof dismiss, ids: readonly string[]) => {
    if (isBusy.current) return;
    isBusy.current = true;
    await act(ids);
    isBusy.current = false;
    onDone(ids);
  };
  return (
    <div class="chosen-bar">
      <strong>{words.chosen(chosen.length)}</strong>
      {active.length > 0 ? (
        <button type="button" class="grave" onClick={() => void once(dismiss, active)}>
          {words.forgetChosen}
        </button>
      ) : null}
      {aside.length > 0 ? (
        <button type="button" onClick={() => void once(restore, aside)}>
          {words.restoreChosen}
        </button>
      ) : null}
      <button type="button" onClick={onAll}>
        {words.chooseAll}
      </button>
      <button type="button" onClick={onNone}>
        {words.chooseNone}
      </button>
    </div>
  );
}
