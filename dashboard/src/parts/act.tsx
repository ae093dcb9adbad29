import type { ButtonHTMLAttributes } from 'preact';
import { rowNamed } from './plain.tsx';

interface ActProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly says: string;
  /** The row with which it does that. */
  readonly what: string;
}

/** A button that each row has: it is told from that of the next. */
export function Act({ says, what, ...rest }: ActProps) {
  return (
    <button type="button" {...rowNamed(what)} {...rest}>
      {says}
    </button>
  );
}
