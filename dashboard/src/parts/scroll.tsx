import type { ComponentChildren } from 'preact';

interface ScrollProps {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** What may be wider than the page scrolls by itself, by the keyboard too. */
export function Scroll({ label, children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by Tab, or no key scrolls it
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** A table has a name: those who do not see the page go from one to the next by it. */
export function Table({ label, class: style, children }: ScrollProps) {
  return (
    <Scroll label={label}>
      <table aria-label={label} class={style}>
        {children}
      </table>
    </Scroll>
  );
}
