import { onDevice } from '../state/kept.ts';

const NAME = 'hark.user';

/** As whom this browser asks, where somebody chose it; else the service decides. */
export function chosenUser(): string | undefined {
  return onDevice.get(NAME);
}

export function chooseUser(userId: string): void {
  onDevice.set(NAME, userId || undefined);
}
