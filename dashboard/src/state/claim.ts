import { ask, Refusal } from '../api/ask.ts';
import { inTab } from './kept.ts';
import { go } from './place.ts';

/** Of this tab, so that a reload goes on; the service lets it count for half an hour. */
const NAME = 'hark.claim';
const FRAGMENT = /^#setup=([\w-]+)$/;

/**
 * Takes the setup token out of the address, before anybody who looks over a shoulder or into the history finds it.
 * The address without a token, which is printed where a key is set, leads to the setup too.
 */
export function takeClaim(): void {
  const claim = FRAGMENT.exec(location.hash)?.[1];
  if (claim === undefined && location.hash !== '#setup') return;
  if (claim !== undefined) inTab.set(NAME, claim);
  history.replaceState(null, '', location.pathname);
  go('/setup', { replace: true });
}

/** Headers that show the claim. On the machine of the service one is had for the asking; undefined elsewhere. */
export async function claimHeaders(): Promise<Readonly<Record<string, string>> | undefined> {
  const claim = inTab.get(NAME);
  if (claim !== undefined) return { 'x-setup-token': claim };
  try {
    const { token } = await ask('POST /api/setup-token', {});
    inTab.set(NAME, token);
    return { 'x-setup-token': token };
  } catch (error) {
    if (error instanceof Refusal && !error.mayPass) return undefined;
    throw error;
  }
}

/** It was refused: it is too old, or the service was started anew. */
export function forgetClaim(): void {
  inTab.set(NAME, undefined);
}
