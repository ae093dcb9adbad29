import { signal } from '@preact/signals';
import { onDevice } from './kept.ts';

export type Look = 'auto' | 'light' | 'dark';

const NAME = 'hark.look';

export const look = signal<Look>(isLook(onDevice.get(NAME)));

export function chooseLook(wanted: Look): void {
  onDevice.set(NAME, wanted);
  look.value = wanted;
  show();
}

export function show(): void {
  document.documentElement.dataset.look = look.value;
}

function isLook(text: string | undefined): Look {
  return text === 'light' || text === 'dark' ? text : 'auto';
}
