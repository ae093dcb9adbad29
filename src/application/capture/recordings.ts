import { HarkError } from '../../errors.ts';
import type { IntoWords } from './ports.ts';

/** What hears conversations: see `SpeechIntoWords` of voice. */
interface Ears {
  isAvailable(): Promise<boolean>;
  begin(options: object): {
    hear(samples: Int16Array): void;
    end(): Promise<{ readonly text: string }>;
    cancel(): void;
  };
}

interface RecordingsOptions {
  readonly ears: Ears;
  /** Samples that the ears take, in parts of a minute at most; undefined for what nothing here can open. */
  readonly parts: (
    bytes: Uint8Array,
    mimeType: string,
    signal: AbortSignal,
  ) => Promise<readonly Int16Array[] | undefined>;
}

const PIECE = 1_600;

/** Understands recordings with what hears conversations. */
export function hearRecordings({ ears, parts }: RecordingsOptions): IntoWords {
  return {
    isAvailable: () => ears.isAvailable(),
    async wordsOf({ bytes, mimeType }, { signal }) {
      const all = await parts(bytes, mimeType, signal);
      if (!all)
        throw new HarkError('CAPTURE_NOT_UNDERSTOOD', { body: { errorCode: 'CAPTURE_NOT_UNDERSTOOD' } });
      const texts: string[] = [];
      for (const part of all) {
        signal.throwIfAborted();
        texts.push(await wordsOf(ears, part, signal));
      }
      return texts.filter((text) => text !== '').join(' ');
    },
  };
}

async function wordsOf(ears: Ears, samples: Int16Array, signal: AbortSignal): Promise<string> {
  const recognition = ears.begin({});
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => {
    recognition.cancel();
    reject(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (let at = 0; at < samples.length; at += PIECE) recognition.hear(samples.subarray(at, at + PIECE));
    const { text } = await Promise.race([recognition.end(), aborted]);
    return text;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
