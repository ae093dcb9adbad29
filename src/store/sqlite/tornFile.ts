import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/*
 * A write-ahead log is a header of 32 bytes and frames, each a header of 24 bytes and a page:
 *
 *   page number (4) │ pages of the database after this commit, else 0 (4) │ salt (8) │ checksum (8) │ page
 *
 * Frames with another salt than the log's header are left over from before the log was last begun anew.
 */

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * Whether a database file of so many pages lacks only such pages as its write-ahead log holds. SQLite does not
 * ask: it would take the pages that a torn file has lost for empty ones, and write on.
 */
export function isWhole(file: string, filePages: number, headerPages: number): boolean {
  const held = new Set<number>();
  let pages = 0;
  for (const { page, pagesAfter } of framesOf(`${file}-wal`)) {
    held.add(page);
    pages = Math.max(pages, pagesAfter);
  }
  // A log without a commit leaves the last word to the file's own header.
  for (let page = filePages + 1; page <= (pages || headerPages); page++) if (!held.has(page)) return false;
  return true;
}

function* framesOf(logFile: string): Generator<{ page: number; pagesAfter: number }> {
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
      yield { page: frame.readUInt32BE(0), pagesAfter: frame.readUInt32BE(4) };
    }
  } finally {
    closeSync(descriptor);
  }
}
