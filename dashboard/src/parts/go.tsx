import type { AnchorHTMLAttributes, ComponentChildren } from 'preact';
import { addressOf } from '../state/place.ts';

interface GoProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'role'> {
  readonly to: string;
  readonly children: ComponentChildren;
}

/** A link to a page of this application: the moment that is shown goes along. */
export function Go({ to, children, ...rest }: GoProps) {
  return (
    <a href={addressOf(to)} {...rest}>
      {children}
    </a>
  );
}
