import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { hearRecordings } from '../../../src/application/capture/recordings.ts';

const asking = { userId: 'ada', correlationId: 'c', signal: new AbortController().signal };
const media = { is: 'media', bytes: new Uint8Array(2), mimeType: 'audio/wav' } as const;

/** Says how much it heard. */
function ears(end?: () => Promise<{ text: string }>) {
  const cancelled: number[] = [];
  return {
    cancelled,
    isAvailable: async () => true,
    begin: () => {
      let heard = 0;
      return {
        hear: (samples: Int16Array) => {
          heard += samples.length;
        },
        end: end ?? (async () => ({ text: heard > 0 ? `${heard}` : '' })),
        cancel: () => {
          cancelled.push(heard);
        },
      };
    },
  };
}

describe('recordings', () => {
  it('are heard part by part, and have the words of all', async () => {
    const parts = async () => [new Int16Array(5_000), new Int16Array(0), new Int16Array(7)];
    assert.equal(await hearRecordings({ ears: ears(), parts }).wordsOf(media, asking), '5000 7');
  });

  it('that nothing can open are not understood', async () => {
    const hearing = hearRecordings({ ears: ears(), parts: async () => undefined });
    await assert.rejects(hearing.wordsOf(media, asking), { code: 'CAPTURE_NOT_UNDERSTOOD' });
  });

  it('are let go when nobody wants them any more', async () => {
    const gone = new AbortController();
    const listener = ears(() => new Promise(() => undefined));
    const hearing = hearRecordings({ ears: listener, parts: async () => [new Int16Array(10)] });
    const words = hearing.wordsOf(media, { ...asking, signal: gone.signal });
    gone.abort(new Error('enough'));
    await assert.rejects(words, /enough/);
    assert.ok(listener.cancelled.length <= 1);
  });
});
