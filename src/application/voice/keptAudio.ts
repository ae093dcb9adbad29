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

/** Nothing longer is kept in one file. */
const MOST_SAMPLES = 24_000 * 60 * 10;

/**
 * Keeps what was said as a file that opens as long as the conversation can be read. Its key is kept first: a crash leaves a
 * key without a file, and never a file that nobody knows of.
 */
export async function keepAudio(
  { keepKey, files, newId }: KeepingOptions,
  whose: Whose,
  { role, rate, pieces }: SaidAudio,
): Promise<void> {
  const samples = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (samples === 0 || samples > MOST_SAMPLES) return;
  const key = files.newKey();
  const audioId = newId();
  const conversationId = await keepKey(whose, { audioId, role, rate, samples, key });
  if (conversationId === undefined) return;
  const said = new Int16Array(samples);
  let at = 0;
  for (const piece of pieces) {
    said.set(piece, at);
    at += piece.length;
  }
  await files.write({ userId: whose.userId, conversationId, audioId }, key, new Uint8Array(said.buffer));
}
