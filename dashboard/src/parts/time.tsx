import { agoText, dateOf, momentText, secondText } from '../words/format.ts';

interface TimeProps {
  readonly at: number;
  readonly exact?: boolean;
  /** Exact to the second: of what may have happened many times in a minute. */
  readonly seconds?: boolean;
}

/** A moment: how long ago, and the moment itself where one asks for it. */
export function Time({ at, exact = false, seconds = false }: TimeProps) {
  const whole = secondText(at);
  return (
    <time dateTime={dateOf(at).toISOString()} title={whole}>
      {seconds ? whole : exact ? momentText(at) : agoText(at)}
    </time>
  );
}
