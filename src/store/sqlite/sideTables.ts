import type { DatabaseSync } from 'node:sqlite';
import { refuseOutOfOrder } from '../importOrder.ts';
import type { GroupCommit } from './groupCommit.ts';
import type { WriterCalls } from './messages.ts';
import { SubjectKeys } from './subjectKeys.ts';

/** Everything that is written beside the events. */
export function sideTables(db: DatabaseSync, commit: GroupCommit): WriterCalls {
  const keys = new SubjectKeys(db);
  const putMeta = db.prepare('insert or replace into meta values (?, ?)');
  const putSnapshot = db.prepare('insert or replace into snapshots values (?, ?, ?, ?, ?)');
  const findCursor = db.prepare('select token from cursors where name = ?');
  const putCursor = db.prepare(
    `insert into cursors values (:name, :to, 1) on conflict (name)
     do update set position = :to, token = token + 1 returning position, token`,
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
      if (position < keys.forgotAt(owner ?? '')) return false;
      if (owner !== null && sealedWith) {
        if (keys.isStale(owner, sealedWith)) return false;
        keys.keep(owner, sealedWith);
      }
      putSnapshot.run(owner ?? '', name, version, position, state);
      return true;
    },
    moveCursor(name, from, to) {
      const { token } = findCursor.get(name) ?? { token: 0 };
      if (token !== from.token) return undefined;
      const moved = putCursor.get({ name, to });
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
      refuseOutOfOrder(events, commit.head);
      commit.import(events);
    },
    importBeside({ meta, cursors, commands }, kept) {
      for (const [name, value] of Object.entries(meta)) putMeta.run(name, value);
      const putCommand = db.prepare('insert into commands values (?, ?, ?, ?)');
      for (const { id, position, version, at } of commands) putCommand.run(id, position, version, at);
      for (const { name, position } of cursors) putCursor.run({ name, to: position });
      for (const { userId, subject, bytes } of kept) keys.keep(userId, { subject, bytes, madeAfter: 0 });
    },
  };
}
