import type { DatabaseSync } from 'node:sqlite';
import { HarkError } from '../../errors.ts';
import type { GroupCommit } from './groupCommit.ts';
import type { WriterCalls } from './messages.ts';
import { insertEvents } from './rows.ts';
import { SubjectKeys } from './subjectKeys.ts';

/** Everything that is written beside the events. */
export function sideTables(db: DatabaseSync, commit: GroupCommit): WriterCalls {
  const keys = new SubjectKeys(db);
  const putMeta = db.prepare('insert or replace into meta values (?, ?)');
  const putSnapshot = db.prepare('insert or replace into snapshots values (?, ?, ?, ?, ?)');
  const putCursor = db.prepare(
    `insert into cursors values (:name, :to, 1) on conflict (name)
     do update set position = :to, token = token + 1 where token = :token returning position, token`,
  );
  const takeLease = db.prepare(
    `insert into leases values (:name, :holder, 1, :expires) on conflict (name)
     do update set holder = :holder, expires_at = :expires,
       fence = fence + (holder <> :holder or expires_at <= :now)
     where holder = :holder or expires_at <= :now
     returning fence, expires_at`,
  );
  const dropLease = db.prepare(
    'update leases set expires_at = 0 where name = ? and holder = ? and fence = ?',
  );

  return {
    writeMeta(entries) {
      for (const [name, value] of Object.entries(entries)) putMeta.run(name, value);
    },
    saveSnapshot({ owner, name }, { version, position, state }, sealedWith) {
      if (owner !== null && sealedWith) {
        if (keys.isStale(owner, sealedWith)) return;
        keys.keep(owner, sealedWith);
      }
      putSnapshot.run(owner ?? '', name, version, position, state);
    },
    moveCursor(name, from, to) {
      if (from.token === 0 && db.prepare('select 1 from cursors where name = ?').get(name)) return undefined;
      const moved = putCursor.get({ name, to, token: from.token });
      return moved && { position: Number(moved.position), token: Number(moved.token) };
    },
    acquireLease(name, holder, ttlMs) {
      const now = Date.now();
      const taken = takeLease.get({ name, holder, now, expires: now + ttlMs });
      return taken && { name, holder, fence: Number(taken.fence), expiresAt: Number(taken.expires_at) };
    },
    releaseLease({ name, holder, fence }) {
      dropLease.run(name, holder, fence);
    },
    importEvents(events) {
      if (events[0] && events[0].position !== commit.head + 1)
        throw new HarkError('TARGET_EXISTS', { message: 'Events are imported into an empty log, in order' });
      insertEvents(db, events);
      commit.reload();
    },
    importBeside({ meta, cursors, commands }, kept) {
      for (const [name, value] of Object.entries(meta)) putMeta.run(name, value);
      const putCommand = db.prepare('insert into commands values (?, ?, ?, ?)');
      for (const { id, position, version, at } of commands) putCommand.run(id, position, version, at);
      for (const { name, position } of cursors) putCursor.run({ name, to: position, token: 0 });
      for (const { userId, subject, bytes } of kept) keys.keep(userId, { subject, bytes, create: true });
    },
  };
}
