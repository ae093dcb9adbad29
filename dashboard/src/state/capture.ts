import { computed, signal } from '@preact/signals';
import { ask, type Output, type Refusal } from '../api/ask.ts';
import { follow, type Work } from '../api/follow.ts';

type Streams = Output<'GET /api/capture/streams'>;

/** What records now, for the page of capture and for the sign that stands above every page. */
export const captured = {
  data: signal<Streams | undefined>(undefined),
  refusal: signal<Refusal | undefined>(undefined),
  reload: () => {},
};

export const recording = computed(() =>
  (captured.data.value?.streams ?? []).filter(({ state }) => state === 'active'),
);

const read: Work = async (signal) => {
  const answer = await ask('GET /api/capture/streams', {}, { signal });
  if (!signal.aborted) captured.data.value = answer;
};

/** From now on the sign follows what happens. */
export function followCapture(): () => void {
  const following = follow(['capture.*'], captured.refusal, read);
  captured.reload = () => following.read(read);
  return following.end;
}
