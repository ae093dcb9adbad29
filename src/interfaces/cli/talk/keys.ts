/** What a key of a terminal means here. */
export type Key = 'talk' | 'mute' | 'leave';

const keys: Readonly<Record<string, Key>> = {
  ' ': 'talk',
  '\r': 'talk',
  m: 'mute',
  q: 'leave',
  // Ctrl-C and Ctrl-D.
  '\u0003': 'leave',
  '\u0004': 'leave',
};

/** Tells keys as they are pressed; what it gives ends that. Where there is no terminal there are none. */
export function followKeys(tell: (key: Key) => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => undefined;
  const hear = (bytes: Buffer) => {
    for (const letter of bytes.toString()) {
      const key = keys[letter];
      if (key) tell(key);
    }
  };
  stdin.setRawMode(true);
  stdin.on('data', hear);
  stdin.resume();
  return () => {
    stdin.off('data', hear);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
