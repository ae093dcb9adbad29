import type { ComponentChildren } from 'preact';

/** What may be wider than the page scrolls by itself, by the keyboard too. */
export function Scroll({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by Tab, or no key scrolls it
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
