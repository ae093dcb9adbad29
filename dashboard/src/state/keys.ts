import { useLayoutEffect } from 'preact/hooks';

export interface KeyAction {
  readonly key: string;
  readonly says: string;
  readonly act: () => void;
}

/** The newest first: what opened last is asked first. */
const layers: (readonly KeyAction[])[] = [];

/**
 * Single keys while this part is shown, none of them while somebody types. `?` lists them with what they say. Those of
 * the shell stand behind all others: a page may mean something else by them.
 */
export function useKeys(actions: readonly KeyAction[], areOfShell = false): void {
  // As soon as it is seen: who is quick presses a key before the next frame is drawn.
  useLayoutEffect(() => {
    if (areOfShell) layers.push(actions);
    else layers.unshift(actions);
    return () => {
      layers.splice(layers.indexOf(actions), 1);
    };
  });
}

/** What the keys would do now; of several for one key, the newest. */
export function keysNow(): readonly KeyAction[] {
  return [
    ...new Map(
      layers
        .flat()
        .reverse()
        .map((action) => [action.key, action]),
    ).values(),
  ].reverse();
}

/** What these do goes on while they are held down; all else is done once. */
const MOVES = new Set(['j', 'k', '[', ']']);

export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    // With AltGr some keyboards write signs as `[`; it is told as Ctrl and Alt there.
    const isSign = event.getModifierState('AltGraph');
    if (event.metaKey || (!isSign && (event.ctrlKey || event.altKey))) return;
    if (event.defaultPrevented || event.isComposing) return;
    // Held down, it would press what comes in the place of what it was pressed for.
    if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement)
      event.preventDefault();
    // Behind an open dialog nothing happens.
    if (isTyping(event.target) || document.querySelector('dialog:modal')) return;
    const action = layers.flat().find(({ key }) => key === event.key);
    if (!action) return;
    event.preventDefault();
    if (!event.repeat || MOVES.has(event.key)) action.act();
  });
}

const QUIET_INPUTS = new Set(['checkbox', 'radio', 'range', 'button', 'submit']);

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !QUIET_INPUTS.has(target.type);
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}
