import { signal } from '@preact/signals';

export type Look = 'auto' | 'light' | 'dark';

const NAME = 'hark.look';

export const look = signal<Look>(isLook(localStorage.getItem(NAME)));

export function chooseLook(wanted: Look): void {
  localStorage.setItem(NAME, wanted);
  look.value = wanted;
  show();
}

export function show(): void {
  document.documentElement.dataset.look = look.value;
}

function isLook(text: string | null): Look {
  return text === 'light' || text === 'dark' ? text : 'auto';
}
