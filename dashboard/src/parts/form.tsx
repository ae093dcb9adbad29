import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface FormProps {
  readonly class?: string;
  readonly onSubmit: () => unknown;
  readonly onEscape?: () => void;
  readonly children: ComponentChildren;
}

/** In a field of several lines: `Enter` sends, and with Shift it begins a line. */
export function sendsByEnter(event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }): void {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** Until what it was sent for is done, it is not sent again: `Enter` twice adds one thing, not two. */
export function Form({ onSubmit, onEscape, children, ...rest }: FormProps) {
  const isBusy = useRef(false);
  const send = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await onSubmit();
    } finally {
      isBusy.current = false;
    }
  };
  return (
    <form
      {...rest}
      onKeyDown={(event) => event.key === 'Escape' && onEscape?.()}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {children}
    </form>
  );
}
