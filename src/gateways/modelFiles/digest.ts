import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const READ_AT_ONCE = 2 ** 18;

/** The SHA-256 of a file, in small bites; undefined when it cannot be read. */
export async function digestOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: READ_AT_ONCE })) hash.update(chunk);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}
