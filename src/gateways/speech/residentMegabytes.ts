import { readFile } from 'node:fs/promises';

/** 0 where the system does not tell. */
export function residentMegabytes(pid: number | undefined): Promise<number> {
  return megabytesOf(pid, 'VmRSS');
}

/** The most there was. */
export function peakMegabytes(pid: number | undefined): Promise<number> {
  return megabytesOf(pid, 'VmHWM');
}

async function megabytesOf(pid: number | undefined, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1_024;
}
