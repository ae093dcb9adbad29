import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { parts } from '../words/parts.ts';
import { visible } from './plain.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}

/** Shown as long as it is there. The focus comes back to where it was. */
export function Dialog({ title, onClose, children, wide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    // Whoever is asked for something types it; else the way out has the focus.
    element.current?.querySelector<HTMLElement>(':is(input, select, textarea):enabled')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onClose={onClose}
      closedby="any"
    >
      <div class="dialog-inside">
        <header class="dialog-head">
          <h2 id={id}>{visible(title)}</h2>
          <button
            type="button"
            class="icon"
            aria-label={parts.close}
            onClick={() => element.current?.close()}
          >
            ×
          </button>
        </header>
        {children}
      </div>
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
    <Dialog title={question.title} onClose={() => question.answer(false)}>
      <div>{question.text}</div>
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
