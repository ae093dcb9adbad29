import { signal } from '@preact/signals';
import { inTab, onDevice } from '../state/kept.ts';

const NAME = 'hark.key';

let waiting: PromiseWithResolvers<void> | undefined;

/** Set while the service wants a key: whether one that it was shown is wrong. */
export const keyWanted = signal<{ readonly wasWrong: boolean } | undefined>(undefined);

export function apiKey(): string | undefined {
  return inTab.get(NAME) ?? onDevice.get(NAME);
}

/** Resolves when somebody gave another key than this one, which the service refused. */
export function anotherKey(refused: string | undefined): Promise<void> {
  if (apiKey() !== refused) return Promise.resolve();
  waiting ??= Promise.withResolvers<void>();
  keyWanted.value = { wasWrong: refused !== undefined };
  return waiting.promise;
}

/** Kept until the tab is closed, or on this device. */
export function giveKey(key: string, keep: boolean): void {
  forgetKey();
  (keep ? onDevice : inTab).set(NAME, key);
  goOn();
}

export function forgetKey(): void {
  for (const kept of [inTab, onDevice]) kept.set(NAME, undefined);
}

function goOn(): void {
  keyWanted.value = undefined;
  waiting?.resolve();
  waiting = undefined;
}

addEventListener('storage', ({ key, newValue }) => {
  if (key === NAME && newValue !== null) goOn();
});
