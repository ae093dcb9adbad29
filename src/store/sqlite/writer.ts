import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../../crashReports.ts';
import { isHarkError } from '../../errors.ts';
import { inTransaction, openAgain, openForWriting, whyDamaged, whyUnusable } from './database.ts';
import { GroupCommit } from './groupCommit.ts';
import type { Reply, Request, WriterData } from './messages.ts';
import { packResults, unpackAppends } from './packing.ts';
import { Purge } from './purge.ts';
import { sideTables } from './sideTables.ts';
import { StreamIndex } from './streamIndex.ts';

/*
 * The one writer, in a worker thread: it alone changes the database, so that waiting for the disk holds up
 * nobody else. Messages are handled in the order in which they were sent.
 */

const QUIET_MS = 50;
const PURGE_AGAIN_MS = 100;
const COMMANDS_KEPT_MS = 7 * 24 * 3_600_000;
const COMMANDS_KEPT = 100_000;

keepEnvironmentOutOfCrashReports();
const port = parentPort;
if (!port) throw new Error('The writer runs in a worker thread');
const reply = (message: Reply) => port.postMessage(message);

const { file, isFirst }: WriterData = workerData;
try {
  serve(isFirst ? openForWriting(file) : openAgain(file));
} catch (error) {
  reply(failure(0, error));
}

function serve(db: DatabaseSync): void {
  const index = new StreamIndex(db);
  const purge = new Purge(db);
  const commit = new GroupCommit(db, index, purge);
  index.catchUpNow(commit.head);
  const calls = sideTables(db, commit);
  let tidied = !isFirst;
  let quiet: NodeJS.Timeout | undefined;
  let purgeAgain: NodeJS.Timeout | undefined;

  const answer = (request: Request): Reply => {
    const { id } = request;
    if (request.kind === 'close') return { kind: 'answered', id, value: close() };
    // Not at the opening: a log that turns out to be of a newer hark is left as it is.
    if (!tidied) tidyUp(db);
    tidied = true;
    if (request.kind === 'appends') {
      const results = packResults(commit.run(unpackAppends(request.appends)));
      return { kind: 'appended', id, results, indexedUntil: index.until };
    }
    const call = calls[request.name] as (...args: readonly unknown[]) => unknown;
    try {
      return { kind: 'answered', id, value: inTransaction(db, () => call(...request.args)) };
    } catch (error) {
      commit.reload();
      throw error;
    }
  };
  const catchUp = () => {
    try {
      index.catchUpNow(commit.head);
    } catch {
      // Nothing depends on when the index is caught up; the next quiet moment tries again.
    }
  };
  const purgeLater = () => {
    if (purgeAgain || !purge.due) return;
    purgeAgain = setTimeout(() => {
      purgeAgain = undefined;
      if (!db.isOpen) return;
      purge.run();
      purgeLater();
    }, PURGE_AGAIN_MS).unref();
  };
  const close = () => {
    catchUp();
    purge.run();
    db.close();
  };

  port?.on('message', (request: Request) => {
    clearTimeout(quiet);
    try {
      reply(answer(request));
    } catch (error) {
      reply(failure(request.id, error));
    }
    if (db.isOpen) quiet = setTimeout(catchUp, QUIET_MS).unref();
    purgeLater();
  });
  // What a forget destroyed may still stand in the write-ahead log of a process that was killed meanwhile.
  purge.run();
  purgeLater();
  reply({ kind: 'opened' });
}

function tidyUp(db: DatabaseSync): void {
  // The lock on the directory shows that whoever held a lease here is gone.
  db.exec('update leases set expires_at = 0');
  // By the log's own time, which need not be this machine's; and the newest stay whatever it says, since a clock
  // that once ran ahead would make all that came after it look old.
  db.prepare(`delete from commands where at < (select max(at) from commands) - ?
    and position <= (select max(position) from events) - ?`).run(COMMANDS_KEPT_MS, COMMANDS_KEPT);
}

function failure(id: number, error: unknown): Reply {
  const message = error instanceof Error ? error.message : String(error);
  if (isHarkError(error)) return { kind: 'failed', id, code: error.code, message };
  const reason = whyUnusable(error) ?? whyDamaged(error);
  if (reason) return failure(id, reason);
  return { kind: 'failed', id, code: 'INTERNAL', message };
}
