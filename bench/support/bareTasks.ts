import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DueHeap } from '../../src/sagas/dueHeap.ts';
import { percentile } from './measure.ts';

/* The limit: a table of what is due, a heap and one timer, and each firing on the disk. Nothing says what was fired. */

const [folder, count, soon]: [string, number, number] = JSON.parse(process.argv[2] ?? '[]');
const LEAD_MS = 2_000;
const HOUR = 3_600_000;

const file = join(folder, 'bare.db');
const filled = new DatabaseSync(file);
filled.exec(
  'pragma journal_mode=WAL; create table tasks (id integer primary key, due int, payload text); begin',
);
const insert = filled.prepare('insert into tasks values (?, ?, ?)');
const start = Date.now() + LEAD_MS;
for (let id = 0; id < count; id++)
  insert.run(id, id < soon ? start + id : start + HOUR + ((id * 7_919) % 80_000_000), '{"agent":"a-1"}');
filled.exec('commit');
filled.close();

globalThis.gc?.();
const before = process.memoryUsage.rss();
const started = performance.now();
const db = new DatabaseSync(file);
db.exec('pragma synchronous=FULL');
const heap = new DueHeap<number>();
for (const { id, due } of db.prepare('select id, due from tasks').iterate())
  heap.push(Number(due), Number(id));
const ms = performance.now() - started;
globalThis.gc?.();
const mib = (process.memoryUsage.rss() - before) / 2 ** 20;

const remove = db.prepare('delete from tasks where id = ?');
const late: number[] = [];
await new Promise<void>((resolve) => {
  const look = () => {
    const fired: number[] = [];
    db.exec('begin');
    for (let due = heap.takeDue(Date.now()); due; due = heap.takeDue(Date.now())) {
      remove.run(due.item);
      fired.push(due.at);
    }
    db.exec('commit');
    const now = performance.timeOrigin + performance.now();
    for (const due of fired) late.push(now - due);
    if (late.length >= soon) resolve();
    else setTimeout(look, Math.max(0, heap.first - Date.now()));
  };
  setTimeout(look, Math.max(0, heap.first - Date.now()));
});
console.log(JSON.stringify({ ms, mib, p50: percentile(late, 50), p99: percentile(late, 99) }));
