import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

const FOLDER = join(import.meta.dirname, '../../grafana');
const promtoolIsMissing =
  spawnSync('promtool', ['--version']).status === 0
    ? false
    : 'promtool is not installed (apt-get install prometheus)';

const source = z.object({ type: z.literal('prometheus'), uid: z.string().regex(/^\$\{datasource\}$/) });
const board = z.looseObject({
  uid: z.string().regex(/^hark-\w+$/),
  __inputs: z.never().optional(),
  templating: z.object({ list: z.array(z.looseObject({ name: z.string(), type: z.string() })) }),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string().min(1),
      datasource: source,
      targets: z.array(z.looseObject({ expr: z.string(), datasource: source })).min(1),
    }),
  ),
});
const rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.looseObject({
          alert: z.string(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});

const boards = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, ...board.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))) }));
const expressions = boards.flatMap(({ panels }) =>
  panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
);
const alerts = rules
  .parse(parse(readFileSync(join(FOLDER, 'alerts.yaml'), 'utf8')))
  .groups.flatMap((group) => group.rules);

const OURS = /\b(?:service|process|nodejs)_\w+/g;

test('there is a board for each part, under a name that stays', () => {
  const uids = boards.map(({ name, uid }) => [name, `${uid}.json`]);
  for (const [name, named] of uids) assert.equal(name, named);
  assert.deepEqual(boards.map(({ uid }) => uid).sort(), [
    'hark-memory',
    'hark-providers',
    'hark-service',
    'hark-store',
    'hark-voice',
  ]);
  for (const { panels, templating } of boards) {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    assert.ok(templating.list.some(({ name, type }) => name === 'datasource' && type === 'datasource'));
  }
});

describe('what boards and alerts ask for', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start();
  });
  afterAll(() => service.stop());

  test('exists in a running service, and what the service counts is on a board', async () => {
    // A route is told of from its first request on.
    await service.get('/health');
    // V8 cleans up by then, and is told of when it has.
    const { text } = await service.get('/metrics');
    const types = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]),
    );
    const shown = new Set(
      [...types].flatMap(([name, type]) => {
        if (type !== 'histogram' && type !== 'summary') return [name];
        return [name, `${name}_sum`, `${name}_count`, ...(type === 'histogram' ? [`${name}_bucket`] : [])];
      }),
    );
    const asked = [...expressions, ...alerts.map(({ expr }) => expr)].flatMap(
      (expr) => expr.match(OURS) ?? [],
    );
    assert.deepEqual(
      asked.filter((name) => !shown.has(name)),
      [],
    );
    const onBoards = new Set(asked.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    const counted = [...types.keys()].filter((name) => name.startsWith('service_'));
    assert.deepEqual(
      counted.filter((name) => !onBoards.has(name) && !onBoards.has(name.replace(/_count$/, ''))),
      [],
    );
  });
});

test('an operator is told what to do for each alert', () => {
  const page = readFileSync(join(FOLDER, '../docs/operations.md'), 'utf8');
  for (const { alert, annotations } of alerts) {
    assert.equal(annotations.runbook, `docs/operations.md#${alert.toLowerCase()}`);
    assert.match(page, new RegExp(`^### ${alert}\n\n\\S`, 'm'));
  }
});

describe('promtool', skippedFor(promtoolIsMissing), () => {
  test('finds the alerts well formed, and told when they are to be', () => {
    for (const args of [
      ['check', 'rules', 'alerts.yaml'],
      ['test', 'rules', 'alerts.test.yaml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: FOLDER, encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    }
    const tested = readFileSync(join(FOLDER, 'alerts.test.yaml'), 'utf8');
    for (const { alert } of alerts) assert.match(tested, new RegExp(`alertname: ${alert}\\b`));
  });

  test('can read what boards ask', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hark-grafana-'));
    const file = join(folder, 'boards.yaml');
    const filledIn = expressions.map((expr, number) => ({
      record: `board:${number}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '6h').replaceAll('$job', '.*'),
    }));
    writeFileSync(file, stringify({ groups: [{ name: 'boards', rules: filledIn }] }));
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    assert.equal(status, 0, stdout + stderr);
  });
});
