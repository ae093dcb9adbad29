import type { ProviderFault } from './ports.ts';

const MOST_TRIES = 3;
const FIRST_PAUSE_MS = 250;
/** A provider that asks for more patience than a user has is passed by. */
const LONGEST_PAUSE_MS = 5_000;

/**
 * How long to wait before the same model is asked again; undefined when it is not. One that is busy is worth a
 * wait; one that cannot be reached is tried again only when there is nobody else to ask.
 */
export function pauseBefore(
  tries: number,
  { kind }: ProviderFault,
  error: unknown,
  isLast: boolean,
): number | undefined {
  if (tries === MOST_TRIES) return undefined;
  const isBusy = kind === 'rate-limit' || kind === 'overload';
  if (!isBusy && !(isLast && kind === 'network')) return undefined;
  const asked = retryAfterOf(error) ?? FIRST_PAUSE_MS * 2 ** (tries - 1);
  return asked > LONGEST_PAUSE_MS ? undefined : asked;
}

function retryAfterOf(error: unknown): number | undefined {
  return error instanceof Error && 'retryAfterMs' in error && typeof error.retryAfterMs === 'number'
    ? error.retryAfterMs
    : undefined;
}
