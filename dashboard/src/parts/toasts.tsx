import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { Refusal } from '../api/ask.ts';
import { newsWaits } from '../state/hand.ts';
import { useKeys } from '../state/keys.ts';
import { parts } from '../words/parts.ts';
import { visible } from './plain.tsx';
import { told } from './states.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isWrong: boolean;
  readonly undo: (() => Promise<unknown>) | undefined;
  /** The dialog in which it is told. */
  readonly in: string | undefined;
}

const SHOWN_MS = 8_000;
const HELD_MS = 1_000;
const MOST = 4;
interface UnderWay {
  /** The toast that was the newest when it began. */
  readonly after: number;
  /** Whether `u` was pressed for it. */
  isTakenBack: boolean;
}

const underWay = new Set<UnderWay>();
const shown = signal<readonly Toast[]>([]);
/** The dialogs that are open, the last on top: what stands behind them is neither heard nor reached. */
const dialogs = signal<readonly string[]>([]);
let count = 0;

/** What was done, and how it is taken back: by the button, or `u` as long as it is the newest. */
export function tell(text: string, undo?: () => Promise<unknown>): void {
  show({ text, undo, isWrong: false });
}

/** Does what a button asks for. What goes wrong is told, until something works; then the answer is undefined. */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  const own = { after: count, isTakenBack: false };
  underWay.add(own);
  const result = await tried(work);
  underWay.delete(own);
  // What was done is told as soon as this returns.
  if (own.isTakenBack) setTimeout(() => takeBackNewest(own.after));
  return result;
}

async function tried<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    const result = await work();
    shown.value = shown.value.filter(({ isWrong }) => !isWrong);
    return result;
  } catch (error) {
    tellWrong(error);
    return undefined;
  }
}

export function tellWrong(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  const { title, next } = told(error instanceof Refusal ? error : new Refusal(1, { message: String(error) }));
  show({ text: `${title}. ${next}`, undo: undefined, isWrong: true });
}

function show(toast: Omit<Toast, 'id' | 'in'>): void {
  const id = ++count;
  shown.value = [...shown.value, { ...toast, id, in: dialogs.value.at(-1) }].slice(isHeld() ? 0 : -MOST);
  hideLater(id, toast.undo || toast.isWrong ? 2 * SHOWN_MS : SHOWN_MS);
}

/** By a hand, which may be about to take something back: nothing goes from under it. */
function isHeld(): boolean {
  return document.querySelector('.toasts:is(:hover, :focus-within)') !== null;
}

function hideLater(id: number, ms: number): void {
  setTimeout(() => {
    if (isHeld()) hideLater(id, HELD_MS);
    else hide(id);
  }, ms);
}

function hide(id: number): void {
  shown.value = shown.value.filter((toast) => toast.id !== id);
}

function takeBack({ id, undo }: Toast): void {
  hide(id);
  if (undo) void tried(undo).then((done) => done !== undefined && tell(parts.undone));
}

function takeBackNewest(after: number): void {
  const newest = shown.value.findLast(({ id, undo }) => undo && id > after);
  if (newest) takeBack(newest);
}

/** By the key it is what was done last: where that is not done yet, it is that, and not what was done before. */
function takeBackByKey(newest: Toast): void {
  const last = [...underWay].findLast(({ after }) => after >= newest.id);
  if (last) last.isTakenBack = true;
  else takeBack(newest);
}

/** Stands once in the page, and in each dialog: of those that have closed, the page tells the rest. */
export function Toasts({ of }: { readonly of?: string }) {
  useLayoutEffect(() => {
    if (of === undefined) return;
    dialogs.value = [...dialogs.value, of];
    return () => {
      dialogs.value = dialogs.value.filter((one) => one !== of);
    };
  }, []);
  const own = shown.value.filter((toast) => dialogs.value.find((one) => one === toast.in) === of);
  const newest = shown.value.findLast(({ undo }) => undo);
  useKeys(newest ? [{ key: 'u', says: parts.undo, act: () => takeBackByKey(newest) }] : []);
  return (
    <div class="toasts" role="status">
      {own.map((toast) => (
        <div key={toast.id} class={toast.isWrong ? 'toast wrong' : 'toast'}>
          <span>{visible(toast.text)}</span>
          {toast.undo ? (
            <button type="button" onClick={({ detail }) => detail > 1 || takeBack(toast)}>
              {parts.undo} <kbd>u</kbd>
            </button>
          ) : null}
          <button type="button" class="icon" aria-label={parts.close} onClick={() => hide(toast.id)}>
            ×
          </button>
        </div>
      ))}
      {newsWaits.value && !of ? <p class="toast">{parts.newsWaits}</p> : null}
    </div>
  );
}
