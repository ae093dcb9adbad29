import assert from 'node:assert/strict';
import { it } from 'vitest';
import { Captured } from '../../../src/interfaces/voice/captured.ts';

it('what is captured has silence where something of it is missing, and none between two segments', () => {
  const segments: (readonly number[])[] = [];
  let gaps = 0;
  const captured = new Captured({
    by: { userId: 'ann', correlationId: 'cause', signal: new AbortController().signal },
    intake: { take: () => Promise.reject(new Error('None is taken')) },
    waveOf: async (samples) => {
      segments.push([...samples]);
      return new Uint8Array();
    },
    clock: () => 0,
    onGap: () => {
      gaps++;
    },
    onRefusal: () => undefined,
  });
  const two = Int16Array.of(1, 2);
  captured.hear('phone', two, false);
  captured.miss('phone', 3);
  captured.hear('phone', two, true);
  captured.miss('phone', 3);
  captured.hear('phone', two, false);
  captured.miss('phone', 160_000);
  captured.hear('phone', two, true);
  assert.deepEqual(segments, [
    [1, 2, 0, 0, 0, 1, 2],
    [1, 2],
    [1, 2],
  ]);
  assert.equal(gaps, 3);
});
