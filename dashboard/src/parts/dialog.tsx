import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { parts } from '../words/parts.ts';
import { visible } from './plain.tsx';
import { Toasts } from './toasts.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
  /** It goes and comes with the address, or belongs to no page. Any other goes when the person goes back. */
  readonly stays?: boolean;
  /** What is to be read with its title. */
  readonly about?: ComponentChildren;
}

/** Where the focus was before a dialog in whose place another comes. */
let origin: Element | null | undefined;

/** Shown as long as it is there. The focus comes back to where it was. */
export function Dialog({ title, onClose, children, about, stays, wide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = origin ?? document.activeElement;
    origin = undefined;
    // Of a row that is gone by then, to the one in its place.
    const list = before?.closest('.rows');
    element.current?.showModal();
    // Whoever is asked for something types it; else the way out has the focus.
    element.current?.querySelector<HTMLElement>(':is(input, select, textarea):enabled')?.focus();
    if (!stays) addEventListener('popstate', onClose);
    return () => {
      removeEventListener('popstate', onClose);
      origin = before;
      // Until it has left the page, nothing behind it takes the focus.
      queueMicrotask(() => {
        if (!origin) return;
        origin = undefined;
        // Escape has given it back already, and somebody may have gone on from there.
        if (document.activeElement !== document.body) return;
        for (const one of [before, list?.querySelector('[tabindex="0"]'), document.querySelector('h1')]) {
          if (!(one instanceof HTMLElement)) continue;
          one.focus();
          if (document.activeElement !== document.body) return;
        }
      });
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      aria-describedby={about ? `${id}-about` : undefined}
      onClose={onClose}
      closedby="any"
    >
      <div class="dialog-inside">
        <div class="dialog-head">
          <h2 id={id}>{visible(title)}</h2>
          <button
            type="button"
            class="icon"
            aria-label={parts.close}
            onClick={() => element.current?.close()}
          >
            ×
          </button>
        </div>
        {about ? <div id={`${id}-about`}>{about}</div> : null}
        {children}
      </div>
      <Toasts of={id} />
    </dialog>
  );
}

interface Question {
  readonly title: string;
  readonly text: ComponentChildren;
  /** What the button says: what it does, and not “OK”. */
  readonly action: string;
  readonly isGrave?: boolean;
}

const asked = signal<(Question & { readonly answer: (agreed: boolean) => void }) | undefined>(undefined);

/** Asks the person before what cannot be taken back. No model's words open or answer this. */
export function confirmed(question: Question): Promise<boolean> {
  asked.value?.answer(false);
  return new Promise((resolve) => {
    const answer = (agreed: boolean) => {
      asked.value = undefined;
      resolve(agreed);
    };
    asked.value = { ...question, answer };
  });
}

/** Stands once in the page. */
export function Questions() {
  const question = asked.value;
  if (!question) return null;
  return (
    <Dialog title={question.title} about={question.text} onClose={() => question.answer(false)}>
      <div class="actions end">
        <button type="button" onClick={() => question.answer(false)}>
          {parts.cancel}
        </button>
        <button
          type="button"
          class={question.isGrave ? 'main grave' : 'main'}
          onClick={() => question.answer(true)}
        >
          {question.action}
        </button>
      </div>
    </Dialog>
  );
}
