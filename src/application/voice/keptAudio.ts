/** What was said, by either side: 16 bits, mono. */
export interface SaidAudio {
  readonly role: 'user' | 'assistant';
  readonly rate: number;
  readonly pieces: readonly Int16Array[];
}

interface Whose {
  readonly userId: string;
  readonly sessionId: string;
  readonly correlationId: string;
}

interface KeepingOptions {
  /** The key of a file goes into the log, under that of the conversation; undefined where none goes on. */
  readonly keepKey: (
    whose: Whose,
    audio: Omit<SaidAudio, 'pieces'> & {
      readonly audioId: string;
      readonly samples: number;
      readonly key: string;
    },
  ) => Promise<string | undefined>;
  readonly files: {
    newKey(): string;
    write(
      place: { readonly userId: string; readonly conversationId: string; readonly audioId: string },
      key: string,
      bytes: Uint8Array,
    ): Promise<void>;
  };
  readonly newId: () => string;
}

/** What is longer is kept in several files. */
const LONGEST_SECONDS = 60 * 10;

/**
 * Keeps what was said as files that open as long as the conversation can be read. The key of each is kept first: a crash
 * leaves a key without a file, and never a file that nobody knows of.
 */
export async function keepAudio(parts: KeepingOptions, whose: Whose, said: SaidAudio): Promise<void> {
  const left = said.pieces.values();
  let rest: Int16Array | undefined;
  let all = said.pieces.reduce((sum, piece) => sum + piece.length, 0);
  while (all > 0) {
    const samples = new Int16Array(Math.min(all, said.rate * LONGEST_SECONDS));
    all -= samples.length;
    for (let at = 0; at < samples.length; ) {
      const piece: Int16Array = rest ?? left.next().value ?? samples.subarray(at);
      const taken = piece.subarray(0, samples.length - at);
      samples.set(taken, at);
      at += taken.length;
      rest = taken.length < piece.length ? piece.subarray(taken.length) : undefined;
    }
    if (!(await keepFile(parts, whose, { ...said, samples }))) return;
  }
}

/** False where no conversation goes on. */
async function keepFile(
  { keepKey, files, newId }: KeepingOptions,
  whose: Whose,
  { role, rate, samples }: Omit<SaidAudio, 'pieces'> & { readonly samples: Int16Array },
): Promise<boolean> {
  const key = files.newKey();
  const audioId = newId();
  const conversationId = await keepKey(whose, { audioId, role, rate, samples: samples.length, key });
  if (conversationId === undefined) return false;
  const bytes = new Uint8Array(samples.buffer);
  await files.write({ userId: whose.userId, conversationId, audioId }, key, bytes);
  return true;
}
