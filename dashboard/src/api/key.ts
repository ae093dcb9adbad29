import { signal } from '@preact/signals';

const NAME = 'hark.key';

/** Read anew each time: another tab may have changed it. */
function stored(): string | undefined {
  return sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME) ?? undefined;
}

let waiting: PromiseWithResolvers<void> | undefined;

/** Set while the service wants a key: whether one that it was shown is wrong. */
export const keyWanted = signal<{ readonly wasWrong: boolean } | undefined>(undefined);

export function apiKey(): string | undefined {
  return stored();
}

/** Resolves when somebody gave another key than this one, which the service refused. */
export function anotherKey(refused: string | undefined): Promise<void> {
  if (stored() !== refused) return Promise.resolve();
  waiting ??= Promise.withResolvers<void>();
  keyWanted.value = { wasWrong: refused !== undefined };
  return waiting.promise;
}

/** Kept until the tab is closed, or on this device. */
export function giveKey(key: string, keep: boolean): void {
  forgetKey();
  (keep ? localStorage : sessionStorage).setItem(NAME, key);
  goOn();
}

export function forgetKey(): void {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
}

function goOn(): void {
  keyWanted.value = undefined;
  waiting?.resolve();
  waiting = undefined;
}

addEventListener('storage', ({ key, newValue }) => {
  if (key === NAME && newValue !== null) goOn();
});
