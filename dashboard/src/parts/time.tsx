import { signal } from '@preact/signals';
import { agoText, dateOf, momentText, secondText } from '../words/format.ts';

interface TimeProps {
  readonly at: number;
  readonly exact?: boolean;
  /** Exact to the second: of what may have happened many times in a minute. */
  readonly seconds?: boolean;
}

/** How many minutes somebody has looked at the page: what was a minute ago is two minutes ago then. */
const minutes = signal(0);
setInterval(() => minutes.value++, 60_000);

export function Ago({ at }: { readonly at: number }) {
  void minutes.value;
  return <>{agoText(at)}</>;
}

/** A moment: how long ago, and the moment itself where one asks for it. */
export function Time({ at, exact = false, seconds = false }: TimeProps) {
  const whole = secondText(at);
  return (
    <time dateTime={dateOf(at).toISOString()} title={whole}>
      {seconds ? whole : exact ? momentText(at) : <Ago at={at} />}
    </time>
  );
}
