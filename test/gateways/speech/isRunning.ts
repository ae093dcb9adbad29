import { readFile } from 'node:fs/promises';

/** What has ended waits as a zombie until the system's first process asks for it. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X');
  return !/\) [XZ]/.test(stat);
}
