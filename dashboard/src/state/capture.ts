import { computed, signal } from '@preact/signals';
import { ask, type Output } from '../api/ask.ts';
import { onNews } from '../api/live.ts';

type Streams = Output<'GET /api/capture/streams'>;

/** What records now, for the page of capture and for the sign that stands above every page. */
export const captured = signal<Streams | undefined>(undefined);

export const recording = computed(() =>
  (captured.value?.streams ?? []).filter(({ state }) => state === 'active'),
);

let reading: AbortController | undefined;

/** In place of what is being read: an older answer must not come last. */
export function readCapture(): void {
  reading?.abort();
  reading = new AbortController();
  ask('GET /api/capture/streams', {}, { signal: reading.signal })
    .then((answer) => {
      captured.value = answer;
    })
    // Without the store there is no capture either; the page of capture says why.
    .catch(() => undefined);
}

/** From now on the sign follows what happens. */
export function followCapture(): void {
  readCapture();
  onNews(['capture.*'], readCapture);
}
