import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';

/** What a file has the service do is done by whoever may write it: that must be who runs the service, or root. */
export class NotOurOwn extends Error {
  override readonly name = 'NotOurOwn';
}

const BY_OTHERS = 0o022;

/** Looked at and read through one handle: no other file can take its place in between. */
export async function readOwnFile(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const fault = faultOf(await handle.stat());
    if (fault !== undefined) throw new NotOurOwn(fault);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** How others than who runs the service may write it, or put something in its place. */
export function faultOf({ mode, uid }: Pick<Stats, 'mode' | 'uid'>): string | undefined {
  // Where the operating system knows no owners, there is nothing to see.
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  if ((mode & BY_OTHERS) !== 0) return 'is writable by others: run chmod go-w on it';
  return uid === own || uid === 0 ? undefined : 'belongs to another user, who may write it';
}
