import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { moment } from '../state/moment.ts';
import { parts } from '../words/parts.ts';
import { visible } from './plain.tsx';

interface PageProps {
  readonly title: string;
  /** One sentence on what this page is for. */
  readonly about?: string;
  readonly actions?: ComponentChildren;
  /** What it shows is in no log: of the past it says so. */
  readonly isNow?: boolean;
  readonly children: ComponentChildren;
}

/** A page begins with its name, and whoever comes to it is told so. */
export function Page({ title: named, about, actions, isNow = false, children }: PageProps) {
  const title = visible(named);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · hark`;
    // Where a field of the page already has the focus, or somebody has begun to type, that stays. The page before may
    // still be there, with the link that led here.
    if (!heading.current?.closest('.page')?.contains(document.activeElement))
      heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div class="page">
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about === undefined ? null : <p class="quiet">{about}</p>}
        </div>
        {actions ? <div class="actions">{actions}</div> : null}
      </header>
      {isNow && moment.value !== undefined ? <p class="notice">{parts.onlyNow}</p> : null}
      {children}
    </div>
  );
}
