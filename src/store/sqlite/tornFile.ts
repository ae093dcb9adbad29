import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/*
 * A write-ahead log is a header of 32 bytes and frames, each a header of 24 bytes and a page:
 *
 *   page number (4) │ whether it ends a commit (4) │ salt (8) │ checksum (8) │ page
 *
 * Frames with another salt than the log's header are left over from before the log was last begun anew.
 */

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * Whether a database file lacks only such pages of those that its header counts as its write-ahead log holds: so
 * it does when it was killed while they were moved. SQLite does not ask: it would take the pages that a torn file
 * has lost for empty ones, and write on.
 */
export function isWhole(file: string, filePages: number, headerPages: number): boolean {
  if (filePages >= headerPages) return true;
  const held = new Set(pagesIn(`${file}-wal`));
  for (let page = filePages + 1; page <= headerPages; page++) if (!held.has(page)) return false;
  return true;
}

function* pagesIn(logFile: string): Generator<number> {
  if (!existsSync(logFile)) return;
  const descriptor = openSync(logFile, 'r');
  try {
    const log = Buffer.alloc(LOG_HEADER_BYTES);
    if (readSync(descriptor, log, 0, LOG_HEADER_BYTES, 0) < LOG_HEADER_BYTES) return;
    const salt = log.subarray(16, 24);
    const frame = Buffer.alloc(FRAME_HEADER_BYTES);
    const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
    for (let at = LOG_HEADER_BYTES; ; at += frameBytes) {
      if (readSync(descriptor, frame, 0, FRAME_HEADER_BYTES, at) < FRAME_HEADER_BYTES) return;
      if (!frame.subarray(8, 16).equals(salt)) return;
      yield frame.readUInt32BE(0);
    }
  } finally {
    closeSync(descriptor);
  }
}
