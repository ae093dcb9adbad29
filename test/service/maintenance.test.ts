import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { EventReader, InProcessService, TEST_NOW } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60_000;
const LONG = 'The user goes hiking in the mountains with the two dogs every weekend when the weather is fine';

interface Pipeline {
  candidatesSelected: number;
  nliConfirmed: number;
  llmConfirmed: number;
  stageLatencyMs: { stage1: number; stage2: number; stage3: number };
}

interface Report {
  timestamp: number;
  conclusionsExamined: number;
  episodesChecked: number;
  summary: Record<string, unknown> & { contradictionPipeline: Pipeline };
  issues: { type: string; conclusionId?: string; episodeId?: string; action: string; description: string }[];
}

interface Conclusion {
  id: string;
  confidence: number;
  stale: boolean;
  status: string;
  supersededBy: string | null;
}

async function started(environment: Record<string, string> = {}): Promise<InProcessService> {
  return InProcessService.start({ API_RATE_LIMIT: '10000', ...environment });
}

async function believe(service: InProcessService, text: string): Promise<string> {
  const { body } = await service.ask<{ conclusion: { id: string } }>('POST', '/api/memory/conclusions', {
    body: { text },
  });
  return body.conclusion.id;
}

async function sweep(service: InProcessService): Promise<Report> {
  const { status, body } = await service.ask<Report>('POST', '/api/memory/maintain', { body: {} });
  assert.equal(status, 200);
  return body;
}

async function conclusions(service: InProcessService, status = 'active'): Promise<Conclusion[]> {
  const { body } = await service.get<{ conclusions: Conclusion[] }>(
    `/api/memory/conclusions?status=${status}`,
  );
  return body.conclusions;
}

describe('a sweep', () => {
  it('of nothing has a whole report', async () => {
    const service = await started();
    const report = await sweep(service);
    // Taken from a clock that runs by itself.
    const { stage1 } = report.summary.contradictionPipeline.stageLatencyMs;
    assert.deepEqual(report.summary, {
      contradictions: 0,
      stale: 0,
      orphans: 0,
      redundant: 0,
      pruned: 0,
      decayed: 0,
      danglingSources: 0,
      contradictionPipeline: {
        candidatesSelected: 0,
        nliConfirmed: 0,
        llmConfirmed: 0,
        stageLatencyMs: { stage1, stage2: 0, stage3: 0 },
      },
    });
    assert.deepEqual([report.conclusionsExamined, report.episodesChecked, report.issues], [0, 0, []]);
    await service.stop();
  });

  it('takes nothing but an empty object', async () => {
    const service = await started();
    for (const body of [{ userId: 'anna' }, { dryRun: true }, [], 'null', '{']) {
      const { status } = await service.ask('POST', '/api/memory/maintain', { body });
      assert.equal(status, 400, JSON.stringify(body));
    }
    await service.stop();
  });

  it('that is asked for again under the same key is the one that was made', async () => {
    const service = await started();
    const ask = async (headers: Record<string, string> = {}) => {
      const { body } = await service.ask<Report>('POST', '/api/memory/maintain', { body: {}, headers });
      return body;
    };
    const key = { 'idempotency-key': 'tonight' };
    const first = await ask(key);
    assert.deepEqual(await ask(key), first);
    assert.notEqual((await ask()).timestamp, first.timestamp);
    assert.deepEqual(await ask(key), first);
    const { body } = await service.get<{ count: number }>('/api/memory/maintain/history');
    assert.equal(body.count, 2);
    await service.stop();
  });

  it('merges what says the same, and tells so', async () => {
    const service = await started();
    const first = await believe(service, LONG);
    await service.advance(1);
    const second = await believe(service, `${LONG} outside`);
    const { summary, issues } = await sweep(service);
    assert.equal(summary.redundant, 1);
    assert.deepEqual(
      issues.map(({ type, conclusionId, action }) => ({ type, conclusionId, action })),
      [{ type: 'redundant', conclusionId: second, action: 'merged' }],
    );
    assert.match(issues[0]?.description ?? '', new RegExp(first));
    const [merged] = await conclusions(service, 'merged');
    assert.deepEqual([merged?.id, merged?.supersededBy], [second, first]);
    assert.deepEqual(
      (await conclusions(service)).map(({ id }) => id),
      [first],
    );
    await service.stop();
  });

  it('has what is stale decay, prunes it in the end, and lets it be restored', async () => {
    const service = await started({
      SERVICE_MEMORY_STALE_DAYS: '10',
      SERVICE_MEMORY_DECAY_FACTOR: '0.2',
      SERVICE_MAINTENANCE_CRON: '0 0 1 1 *',
    });
    const id = await believe(service, 'The user likes tea.');
    await service.advance(11 * DAY_MS);
    const { summary, issues } = await sweep(service);
    assert.deepEqual([summary.stale, summary.decayed, summary.pruned], [1, 1, 1]);
    assert.deepEqual(
      issues.map(({ action }) => action),
      ['flagged', 'decayed', 'pruned'],
    );
    assert.deepEqual(await conclusions(service), []);
    const { body } = await service.ask<{ conclusion: Conclusion }>(
      'POST',
      `/api/memory/conclusions/${id}/restore`,
      { body: {} },
    );
    assert.deepEqual([body.conclusion.status, body.conclusion.confidence], ['active', 0.2]);
    assert.equal((await sweep(service)).summary.pruned, 0);
    await service.stop();
  });

  it('is kept among the reports, by its time', async () => {
    const service = await started();
    const one = await sweep(service);
    const other = await sweep(service);
    assert.notEqual(one.timestamp, other.timestamp);
    const { body } = await service.get<{ reports: Report[]; count: number }>('/api/memory/maintain/history');
    assert.deepEqual(
      body.reports.map(({ timestamp }) => timestamp),
      [other.timestamp, one.timestamp],
    );
    assert.deepEqual(Object.keys(body.reports[0] ?? {}), ['timestamp', 'durationMs', 'summary']);
    const path = `/api/memory/maintain/history/${one.timestamp}`;
    assert.deepEqual((await service.get(path)).body, one);
    assert.equal((await service.get('/api/memory/maintain/history/yesterday')).status, 400);
    assert.equal((await service.get('/api/memory/maintain/history/1')).status, 404);
    await service.advance(31 * DAY_MS);
    assert.equal((await service.get(path)).status, 404);
    await service.stop();
  });

  it('can be looked at before', async () => {
    const service = await started();
    await believe(service, LONG);
    await believe(service, `${LONG} outside`);
    const { body } = await service.get<Report>('/api/memory/maintain/preview?prune=1');
    assert.deepEqual([body.summary.redundant, body.summary.pruned], [1, 0]);
    assert.equal((await conclusions(service)).length, 2);
    assert.equal((await service.get('/api/memory/maintain/preview?prune=2')).status, 400);
    await service.stop();
  });

  it('is not made where it is switched off', async () => {
    const service = await started({ SERVICE_MAINTENANCE_ENABLED: 'false' });
    const { status, body } = await service.ask('POST', '/api/memory/maintain', { body: {} });
    assert.deepEqual([status, body.errorCode], [503, 'PROFILE_DISCONNECTED']);
    await service.stop();
  });

  it('needs the log', async () => {
    const service = await started({ SERVICE_KVSTORE_URL: 'none' });
    const { status, body } = await service.ask('POST', '/api/memory/maintain', { body: {} });
    assert.deepEqual(
      [status, body.error, body.errorCode],
      [503, 'Memory maintenance unavailable', 'PROFILE_DISCONNECTED'],
    );
    assert.equal(typeof body.message, 'string');
    await service.stop();
  });
});

/** The types of the user's events from here on, as they come. */
async function nextOf(
  service: InProcessService,
  topic: string,
  after = 0,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const path = `/api/events/stream?topics=${topic}&after=${after}`;
  const reader = await EventReader.open(service.url + path, headers);
  for (let message = await reader.next(); message; message = await reader.next())
    if (message.data) {
      reader.close();
      return JSON.parse(message.data);
    }
  return assert.fail('The stream ended');
}

const HOUR_MS = 3_600_000;
/** From the moment at which the clock of a test stands, at 22:13 in UTC, until three. */
const UNTIL_THREE_MS = 4 * HOUR_MS + 46 * 60_000 + 40_000;

describe('every night', () => {
  it('memory is swept at three, in the zone that is set', async () => {
    const service = await started({ SERVICE_MAINTENANCE_TIMEZONE: 'Europe/Berlin' });
    await believe(service, 'The user likes tea.');
    await service.advance(UNTIL_THREE_MS - HOUR_MS - 1);
    assert.equal(await sweeps(service), 0);
    await service.advance(1);
    await nextOf(service, 'memory.maintenance.completed');
    assert.equal(await sweeps(service), 1);
    const { body } = await service.get('/health/memory-maintenance');
    assert.match(String(body.note), /^1 sweep, the last at 2023-11-15T02:00:00/);
    const figures = [Date.parse('2023-11-15T02:00:00Z'), 1];
    assert.deepEqual([body.lastMaintenanceAt, body.totalSweeps], figures);
    const all = await service.get<{ services: Record<string, object> }>('/api/health');
    const entry = Object(all.body.services['memory-maintenance']);
    assert.deepEqual([entry.lastMaintenanceAt, entry.totalSweeps], figures);
    await service.stop();
  });

  it('that of every user is swept', async () => {
    const service = await started();
    const bea = { 'x-user-id': 'bea' };
    const body = { text: 'The user likes tea.' };
    assert.equal((await service.ask('POST', '/api/memory/conclusions', { body, headers: bea })).status, 201);
    await service.advance(UNTIL_THREE_MS);
    await nextOf(service, 'memory.maintenance.completed', 0, bea);
    const history = await service.get<{ count: number }>('/api/memory/maintain/history', bea);
    assert.equal(history.body.count, 1);
    await service.stop();
  });

  it('it should be, or health says so after 48 hours', async () => {
    const service = await started({ SERVICE_MAINTENANCE_CRON: '0 0 1 1 *' });
    await sweep(service);
    await service.advance(2 * DAY_MS);
    assert.equal((await service.get('/health/memory-maintenance')).status, 200);
    await service.advance(1);
    assert.equal((await service.get('/health/memory-maintenance')).status, 503);
    await sweep(service);
    assert.equal((await service.get('/health/memory-maintenance')).status, 200);
    await service.stop();
  });

  it('that no process was there for is made up for after the next start', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hark-maintenance-'));
    const kept = { SERVICE_DATA_DIR: directory, SERVICE_KVSTORE_URL: 'embedded' };
    const first = await started(kept);
    await believe(first, 'The user likes tea.');
    await sweep(first);
    await first.stop();
    const later = await started({ ...kept, SERVICE_TEST_NOW: String(TEST_NOW + 3 * DAY_MS) });
    const overdue = await later.get('/health/memory-maintenance');
    assert.deepEqual([overdue.status, overdue.body.error], [503, 'No sweep for more than 48 hours']);
    assert.deepEqual([overdue.body.lastMaintenanceAt, overdue.body.totalSweeps], [TEST_NOW, 1]);
    assert.equal(await sweeps(later), 1);
    const { body } = await later.get<{ events: { position: number }[] }>(
      '/api/events?type=memory.maintenance.completed',
    );
    await later.advance(60_000);
    await nextOf(later, 'memory.maintenance.completed', body.events.at(-1)?.position);
    assert.equal((await later.get('/health/memory-maintenance')).status, 200);
    assert.match(String((await later.get('/health/memory-maintenance')).body.note), /^2 sweeps/);
    await later.stop();
    rmSync(directory, { recursive: true });
  });

  it('it is swept also after a sweep that was made while the clock was ahead', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hark-maintenance-'));
    const kept = { SERVICE_DATA_DIR: directory, SERVICE_KVSTORE_URL: 'embedded' };
    const ahead = await started({ ...kept, SERVICE_TEST_NOW: String(TEST_NOW + 400 * DAY_MS) });
    await believe(ahead, 'The user likes tea.');
    await sweep(ahead);
    const { body } = await ahead.get<{ events: { position: number }[] }>(
      '/api/events?type=memory.maintenance.completed',
    );
    await ahead.stop();
    const right = await started(kept);
    await right.advance(UNTIL_THREE_MS);
    await nextOf(right, 'memory.maintenance.completed', body.events.at(-1)?.position);
    const history = await right.get<{ reports: { timestamp: number }[] }>('/api/memory/maintain/history');
    const [first, second] = history.body.reports;
    assert.deepEqual(
      [first?.timestamp, second?.timestamp],
      [TEST_NOW + 400 * DAY_MS, TEST_NOW + UNTIL_THREE_MS],
    );
    await right.stop();
    rmSync(directory, { recursive: true });
  });

  it('nothing is done where it is switched off, by whatever way', async () => {
    const service = await started({ SERVICE_MAINTENANCE_ENABLED: 'false' });
    await schedule(service);
    await service.advance(3 * DAY_MS);
    const run = await nextOf(service, 'schedule.run.failed');
    assert.match(JSON.stringify(run), /PROFILE_DISCONNECTED/);
    assert.equal(await sweeps(service), 0);
    const { status, body } = await service.get('/health/memory-maintenance');
    assert.deepEqual([status, body.note], [200, 'Switched off (SERVICE_MAINTENANCE_ENABLED)']);
    await service.stop();
  });
});

it('a task of the scheduler sweeps memory', async () => {
  const service = await started();
  await schedule(service);
  await service.advance(1_000);
  await nextOf(service, 'memory.maintenance.completed');
  await nextOf(service, 'schedule.run.succeeded');
  await service.stop();
});

async function schedule(service: InProcessService): Promise<void> {
  const task = {
    name: 'Tidy up',
    scheduleType: 'once',
    atTimestamp: TEST_NOW + 1_000,
    eventTopic: 'memory.maintenance.requested',
  };
  assert.equal((await service.ask('POST', '/api/scheduler/tasks', { body: task })).status, 201);
}

async function sweeps(service: InProcessService): Promise<number> {
  const { body } = await service.get<{ count: number }>('/api/memory/maintain/history');
  return body.count;
}

it('what was put aside is erased once it cannot be restored any more', async () => {
  const service = await started({ SERVICE_MEMORY_RETENTION_DAYS: '2' });
  await believe(service, LONG);
  await believe(service, `${LONG} outside`);
  await sweep(service);
  const [merged] = await conclusions(service, 'merged');
  await service.advance(2 * DAY_MS);
  await nextOf(service, 'memory.conclusions.erased');
  assert.deepEqual(await conclusions(service, 'merged'), []);
  const path = `/api/memory/conclusions/${merged?.id}/restore`;
  assert.equal((await service.ask('POST', path, { body: {} })).status, 404);
  await service.stop();
});
