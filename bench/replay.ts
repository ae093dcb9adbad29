import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { defineProjection } from '../src/projections/projection.ts';
import { ProjectionRuntime } from '../src/projections/runtime.ts';
import { Log } from '../src/store/log.ts';
import { openAdapter } from '../src/store/open.ts';
import type { Store } from '../src/store/port.ts';
import type { RawEvent } from '../src/store/rawEvent.ts';
import { inFolder } from './support/folder.ts';
import { longestBlock } from './support/mainThread.ts';
import { Samples } from './support/measure.ts';
import { type Benchmark, limitRow, ratioRow } from './support/table.ts';
import { toolCall, toolCallCompleted } from './support/toolCalls.ts';

const EVENTS = 1_000_000;
const STREAMS = 10_000;
const IMPORTED_AT_ONCE = 5_000;

interface Totals {
  readonly byStream: Record<string, { calls: number; ms: number; failed: number; last: number }>;
}

const totals = (readsPayload: boolean) =>
  defineProjection({
    name: 'bench.totals',
    version: 1,
    handles: [toolCallCompleted],
    initial: (): Totals => ({ byStream: {} }),
    apply({ byStream }, event) {
      byStream[event.stream] ??= { calls: 0, ms: 0, failed: 0, last: 0 };
      const total = byStream[event.stream];
      if (!total) return;
      total.calls++;
      total.last = event.at;
      if (!readsPayload) return;
      const { ms, ok } = event.data;
      total.ms += ms;
      if (!ok) total.failed++;
    },
  });

export const replay: Benchmark = {
  title: `Rebuilding a projection over ${EVENTS.toLocaleString('en-US')} events, sqlite`,
  run: (rounds) =>
    inFolder(async (folder) => {
      const samples = new Samples();
      const directory = join(folder, 'data');
      await fillLog(directory, EVENTS);
      fillTable(join(folder, 'table.db'));
      for (let round = 0; round < rounds; round++) {
        samples.add('table', { perSecond: EVENTS / secondsOf(() => foldTable(join(folder, 'table.db'))) });
        const store = await Log.open(await openAdapter('embedded', directory), [toolCallCompleted]);
        samples.add('payload', await rebuild(store, true));
        samples.add('envelope', await rebuild(store, false));
        await store.close();
      }
      const base = { name: 'SELECT in pages, JSON.parse', figure: samples.median('table', 'perSecond') };
      const payload = samples.median('payload', 'perSecond');
      const envelope = samples.median('envelope', 'perSecond');
      return [
        ratioRow('the payload is read', base, payload, { least: 0.9 }, '/s'),
        ratioRow('only the envelope is read', base, envelope, { least: 2 }, '/s'),
        limitRow('main thread blocked', samples.median('payload', 'blocked'), 10, 'ms'),
      ];
    }),
};

async function rebuild(store: Store, readsPayload: boolean): Promise<{ perSecond: number; blocked: number }> {
  const projection = totals(readsPayload);
  const runtime = new ProjectionRuntime(store, [projection]);
  globalThis.gc?.();
  const started = performance.now();
  const blocked = await longestBlock(() => runtime.catchUp());
  const seconds = (performance.now() - started) / 1_000;
  if (Object.keys(runtime.view(projection).byStream).length !== STREAMS)
    throw new Error('Events are missing');
  return { perSecond: EVENTS / seconds, blocked };
}

/** A log of this many events, imported rather than appended: how it came about does not matter here. */
export async function fillLog(
  directory: string,
  count: number,
  eventAt: (index: number) => RawEvent = rawToolCall,
): Promise<void> {
  const adapter = await openAdapter('embedded', directory);
  for (let from = 0; from < count; from += IMPORTED_AT_ONCE) {
    await adapter.importEvents(
      Array.from({ length: IMPORTED_AT_ONCE }, (_, offset) => eventAt(from + offset)),
    );
  }
  await adapter.close();
}

function rawToolCall(index: number): RawEvent {
  return {
    position: index + 1,
    stream: `agent-${index % STREAMS}`,
    version: Math.floor(index / STREAMS) + 1,
    type: toolCallCompleted.type,
    schema: 1,
    at: 1_700_000_000_000 + index,
    userId: `user-${index % 100}`,
    correlationId: `c-${index}`,
    causationId: null,
    subject: null,
    data: JSON.stringify(toolCall(index)),
    sealed: null,
  };
}

/** What one would write without a framework: the whole event as JSON in one column. */
function fillTable(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('pragma journal_mode = wal; pragma synchronous = off');
  db.exec('create table events (position integer primary key, stream text, event text); begin');
  const insert = db.prepare('insert into events values (?, ?, ?)');
  for (let index = 0; index < EVENTS; index++) {
    const { position, stream, version, type, at, userId, correlationId, data } = rawToolCall(index);
    const meta = { at, actor: userId, correlationId, schema: 1 };
    insert.run(
      position,
      stream,
      JSON.stringify({ type, streamId: stream, version, data: JSON.parse(data), meta }),
    );
  }
  db.exec('commit');
  db.close();
}

interface Written {
  readonly streamId: string;
  readonly data: { readonly ms: number; readonly ok: boolean };
  readonly meta: { readonly at: number };
}

function foldTable(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  const select = db.prepare(
    'select position, event from events where position > ? order by position limit 1000',
  );
  const byStream: Totals['byStream'] = {};
  for (let after = 0, rows = select.all(after); rows.length > 0; rows = select.all(after)) {
    for (const { position, event } of rows) {
      const { streamId, data, meta }: Written = JSON.parse(String(event));
      byStream[streamId] ??= { calls: 0, ms: 0, failed: 0, last: 0 };
      const total = byStream[streamId];
      if (!total) continue;
      total.calls++;
      total.ms += data.ms;
      if (!data.ok) total.failed++;
      total.last = meta.at;
      after = Number(position);
    }
  }
  db.close();
}

function secondsOf(work: () => void): number {
  globalThis.gc?.();
  const started = performance.now();
  work();
  return (performance.now() - started) / 1_000;
}
