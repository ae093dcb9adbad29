import { agoText, dateOf, momentText } from '../words/format.ts';

/** A moment: how long ago, and the moment itself where one asks for it. */
export function Time({ at, exact = false }: { readonly at: number; readonly exact?: boolean }) {
  const whole = momentText(at);
  return (
    <time dateTime={dateOf(at).toISOString()} title={whole}>
      {exact ? whole : agoText(at)}
    </time>
  );
}
