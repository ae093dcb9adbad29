import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { calls, says } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { EventReader, TEST_NOW } from '../support/service.ts';

interface Execution {
  readonly id: string;
  readonly workflowId: string;
  readonly state: string;
  readonly startTime: number;
  readonly endTime: number | null;
  readonly output: Record<string, unknown> | null;
  readonly error: string | null;
  readonly steps: readonly {
    readonly id: string;
    readonly state: string;
    readonly attempts: number;
    readonly until: number | null;
  }[];
}

describe('workflows', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-workflows-'));
  const folder = join(directory, 'workflows');
  beforeAll(async () => {
    await mkdir(folder);
    await put('weather.yaml', weather);
  });
  const set = modelledService({ SERVICE_TOOL_MAX_TOOLS: '20', SERVICE_DATA_DIR: directory });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const put = (name: string, text: string) => writeFile(join(folder, name), text);
  const execute = (id: string, input?: object) =>
    set.service.ask<{ execution: Execution; error?: string; message?: string; workflowId?: string }>(
      'POST',
      `/api/workflows/${id}/execute`,
      { body: input === undefined ? {} : { input } },
    );
  const list = async () => (await set.service.get<Listed>('/api/workflows')).body;
  const find = async (id: string) =>
    (await set.service.get<{ execution: Execution }>(`/api/workflows/executions/${id}`)).body.execution;

  test('are those of the files and those that are built in', async () => {
    const { workflows, count, badFiles } = await list();
    assert.deepEqual(
      workflows.map(({ id }) => id),
      ['about-me', 'health-report', 'prompt-later', 'weather'],
    );
    assert.equal(count, 4);
    assert.deepEqual(badFiles, []);
    assert.deepEqual(workflows[3], {
      id: 'weather',
      name: 'weather',
      description: 'Says what to wear',
      stepCount: 4,
      input: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer', default: 3 } },
        required: ['city'],
      },
      steps: [
        { id: 'health', name: 'health', type: 'ACTION' },
        { id: 'is_well', name: 'is_well', type: 'CONDITION' },
        { id: 'advice', name: 'Give advice', type: 'PROMPT', within: { step: 'is_well', list: 'do' } },
        { id: 'sorry', name: 'sorry', type: 'PROMPT', within: { step: 'is_well', list: 'else' } },
      ],
    });
  });

  test('are written as the documentation has one', async () => {
    const docs = await readFile(new URL('../../docs/workflows.md', import.meta.url), 'utf8');
    const [, written = ''] = /```yaml\n(.*?)```/s.exec(docs) ?? [];
    const [, body = ''] = /`(\{"input".*?\}\})`/.exec(docs) ?? [];
    await put('documented.yaml', written);
    await set.service.logs(/"file":"documented.yaml".*workflow read/);
    const { input } = JSON.parse(body);
    set.models.script(says('A coat'));
    const cold = await execute('documented', input);
    assert.deepEqual(cold.body.execution?.output, { advice: 'A coat' }, JSON.stringify(cold.body));
    assert.match(set.models.requests.at(-1)?.lastText ?? '', /^It is 4 °C in Ghent\. What to wear\?/);
    const warm = await execute('documented', { city: 'Ghent' });
    assert.deepEqual(warm.body.execution?.output, { advice: 'Nothing special' });
    await rm(join(folder, 'documented.yaml'));
  });

  test('run their steps, and give what they are to give', async () => {
    set.models.script(says('A coat'));
    const { status, body } = await execute('weather', { city: 'Ghent' });
    assert.equal(status, 200, JSON.stringify(body));
    const { execution } = body;
    assert.equal(execution.state, 'completed');
    assert.deepEqual(execution.output, { advice: 'A coat', city: 'Ghent', days: 4 });
    assert.deepEqual([execution.startTime, execution.endTime, execution.error], [TEST_NOW, TEST_NOW, null]);
    assert.deepEqual(
      execution.steps.map(({ id, state }) => [id, state]),
      [
        ['health', 'completed'],
        ['is_well', 'completed'],
        ['advice', 'completed'],
      ],
    );
    assert.match(set.models.requests.at(-1)?.lastText ?? '', /^What to wear in Ghent for 4 days\?$/);
    assert.deepEqual(await find(execution.id), execution);
  });

  test('refuse an input that does not fit, before anything is done', async () => {
    const { status, body } = await execute('weather', { city: 7 });
    assert.equal(status, 400);
    assert.equal(body.error, 'Validation failed');
    assert.match(JSON.stringify(body), /"path":\["input","city"\]/);
  });

  test('refuse an input that is very long', async () => {
    const { status, body } = await execute('about-me', { long: 'x'.repeat(300_000) });
    assert.deepEqual([status, body.error], [400, 'Validation failed']);
  });

  test('are refused as the specification says', async () => {
    const unknown = await execute('nothing');
    assert.deepEqual(
      [unknown.status, unknown.body],
      [404, { error: 'Workflow not found', workflowId: 'nothing' }],
    );
    const invalid = await execute('no.such');
    assert.deepEqual([invalid.status, invalid.body.error], [400, 'Invalid workflow ID format']);
    const missing = await set.service.get('/api/workflows/executions/nothing');
    assert.deepEqual([missing.status, missing.body.error], [404, 'Unknown execution']);
  });

  test('that fail say why', async () => {
    set.models.script(says(''));
    await put(
      'broken.json',
      JSON.stringify({ steps: [{ id: 'call', type: 'ACTION', tool: 'make.coffee' }] }),
    );
    await set.service.logs(/"file":"broken.json".*workflow read/);
    const { status, body } = await execute('broken');
    assert.equal(status, 400);
    assert.equal(body.error, 'Workflow execution failed');
    assert.equal(body.message, 'call: There is no tool "make.coffee"');
  });

  test('ask the agent, with memory and tools, or where that is said the bare model', async () => {
    const headers = { 'x-user-id': 'mia' };
    const conclusion = { text: 'Mia drinks green tea', type: 'explicit' };
    await set.service.ask('POST', '/api/memory/conclusions', { body: conclusion, headers });
    await put('asking.yaml', asking);
    await set.service.logs(/"file":"asking.yaml".*workflow read/);
    set.models.script([
      says(calls('workflow_list')),
      says('Green tea'),
      says('{"tea":"green"}'),
      says('Any'),
    ]);
    const { body } = await set.service.ask<{ execution: Execution }>(
      'POST',
      '/api/workflows/asking/execute',
      {
        body: {},
        headers,
      },
    );
    assert.deepEqual(body.execution?.output, { agent: 'Green tea', shaped: { tea: 'green' }, bare: 'Any' });
    const [first, second, shaped, bare] = set.models.requests.filter(({ endpoint }) => endpoint === 'chat');
    const systemOf = (request = first) => request?.turns.find(({ role }) => role === 'system')?.text ?? '';
    for (const request of [first, shaped]) {
      assert.match(systemOf(request), /Mia drinks green tea/);
      assert.ok(request?.tools.includes('workflow_list'));
    }
    assert.match(systemOf(shaped), /^Be brief/);
    assert.match(second?.lastText ?? '', /health-report/);
    assert.deepEqual([systemOf(bare), bare?.tools], ['', []]);
  });

  test('wait until a moment, and go on then', async () => {
    const { body } = await execute('prompt-later', { text: 'Now?', at: TEST_NOW + 3 * 86_400_000 });
    const { id, state } = body.execution;
    assert.equal(state, 'waiting');
    set.models.script(says('Now.'));
    await set.service.advance(2 * 86_400_000);
    assert.equal((await find(id)).state, 'waiting');
    await set.service.advance(86_400_000);
    while ((await find(id)).state !== 'completed') await new Promise(setImmediate);
    assert.deepEqual((await find(id)).output, { answer: 'Now.' });
    // As it was: when it had begun, and before that.
    const { startTime } = body.execution;
    const path = '/api/workflows/executions';
    const then = (time: number) => set.service.get<{ execution?: Execution }>(`${path}/${id}?at=${time}`);
    const listed = async (time: number) => {
      const { executions } = (
        await set.service.get<{ executions: readonly Execution[] }>(`${path}?at=${time}`)
      ).body;
      return executions.find((one) => one.id === id)?.state;
    };
    const begun = (await then(startTime)).body.execution;
    assert.deepEqual([begun?.state, begun?.output, begun?.endTime], ['waiting', null, null]);
    assert.equal(await listed(startTime), 'waiting');
    assert.equal((await then(startTime - 1)).status, 404);
    assert.equal(await listed(startTime - 1), undefined);
    const { endTime } = await find(id);
    assert.deepEqual((await then(endTime ?? 0)).body.execution, await find(id));
    assert.equal(await listed(endTime ?? 0), 'completed');
  });

  test('wait for a year at most', async () => {
    const { status, body } = await execute('prompt-later', { text: 'Now?', at: TEST_NOW + 400 * 86_400_000 });
    assert.deepEqual([status, body.message], [400, 'moment: The wait is longer than a year']);
  });

  test('are cancelled, once', async () => {
    const { body } = await execute('prompt-later', { text: 'Now?', at: '2024-01-01T00:00:00Z' });
    const path = `/api/workflows/executions/${body.execution.id}/cancel`;
    for (let times = 0; times < 2; times++) {
      const { status, body: cancelled } = await set.service.ask<{ execution: Execution }>('POST', path, {
        body: {},
      });
      assert.deepEqual([status, cancelled.execution.state], [200, 'cancelled']);
      assert.deepEqual(
        cancelled.execution.steps.map(({ id, state, until }) => [id, state, until]),
        [['moment', 'cancelled', null]],
      );
    }
    const other = await set.service.ask('POST', path, { body: {}, headers: { 'x-user-id': 'ann' } });
    assert.equal(other.status, 404);
  });

  test('are listed as what was executed: what is not over, and what was lately, newest first', async () => {
    const headers = { 'x-user-id': 'lea' };
    const begin = async (id: string, input: object) => {
      const path = `/api/workflows/${id}/execute`;
      const { body } = await set.service.ask<{ execution?: Execution; executionId?: string }>('POST', path, {
        body: { input },
        headers,
      });
      return body.execution?.id ?? body.executionId;
    };
    const listed = async (query = '') => {
      const { body } = await set.service.get<{ executions: readonly Execution[] }>(
        `/api/workflows/executions${query}`,
        headers,
      );
      return body.executions.map(({ id, workflowId, state }) => [id, workflowId, state]);
    };
    const waiting = [
      await begin('prompt-later', { text: 'Now?', at: '2024-01-01T00:00:00Z' }),
      'prompt-later',
      'waiting',
    ];
    const done = [await begin('health-report', {}), 'health-report', 'completed'];
    const failed = [
      await begin('prompt-later', { text: 'Now?', at: '2099-01-01' }),
      'prompt-later',
      'failed',
    ];
    assert.deepEqual(await listed(), [failed, done, waiting]);
    assert.deepEqual(await listed('?workflowId=prompt-later'), [failed, waiting]);
    assert.deepEqual(await listed('?state=waiting'), [waiting]);
    assert.deepEqual(await listed('?limit=1'), [failed]);
    for (let times = 0; times < 200; times++) await begin('health-report', {});
    const all = await listed('?limit=500');
    assert.equal(all.length, 201);
    assert.deepEqual(all.at(-1), waiting);
    const other = await set.service.get<{ count: number }>('/api/workflows/executions', {
      'x-user-id': 'none',
    });
    assert.equal(other.body.count, 0);
  });

  test('of a bad file stay as they were, and the file says what is wrong', async () => {
    await put('weather.yaml', weather.replace('slot: chat', 'slott: chat'));
    await set.service.logs(/"file":"weather.yaml".*cannot be used/);
    const { workflows, badFiles } = await list();
    assert.deepEqual(badFiles, [
      { file: 'weather.yaml', problem: 'steps[1].do[0]: must not have the field "slott"', keepsOld: true },
    ]);
    assert.ok(workflows.some(({ id }) => id === 'weather'));
    set.models.script(says('A coat'));
    assert.equal((await execute('weather', { city: 'Ghent' })).status, 200);
    await put('weather.yaml', weather);
    await set.service.logs(/"file":"weather.yaml".*workflow read/, 2);
    assert.deepEqual((await list()).badFiles, []);
  });

  test('keep the definition that they began with', async () => {
    await put('slow.yaml', slow('one'));
    await set.service.logs(/"file":"slow.yaml".*workflow read/);
    const { body } = await execute('slow');
    await put('slow.yaml', slow('other'));
    await set.service.logs(/"file":"slow.yaml".*workflow read/, 2);
    await rm(join(folder, 'slow.yaml'));
    await set.service.advance(3_600_000);
    while ((await find(body.execution.id)).state !== 'completed') await new Promise(setImmediate);
    assert.deepEqual((await find(body.execution.id)).output, { said: 'one' });
  });

  test('publish topics, which may run others', async () => {
    await put('teller.yaml', teller);
    await set.service.logs(/"file":"teller.yaml".*workflow read/);
    const reader = await EventReader.open(`${set.service.url}/api/events/stream?topics=tea.ready`);
    assert.equal((await execute('teller', { left: 1 })).status, 200);
    for (const left of [1, 0]) {
      const { event, data = '' } = (await reader.next()) ?? {};
      assert.deepEqual([event, JSON.parse(data).data.payload], ['tea.ready', { left }]);
    }
    reader.close();
  });

  test('that run themselves come to an end', async () => {
    const { status, body } = await execute('teller', { left: 1_000 });
    assert.equal(status, 400);
    assert.match(body.message ?? '', /^again: again: .*Too many executions started each other/);
  });

  test('are run when a schedule says so', async () => {
    const reader = await EventReader.open(
      `${set.service.url}/api/events/stream?topics=schedule.run.succeeded,tea.ready`,
    );
    const task = {
      name: 'Tea',
      scheduleType: 'interval',
      intervalMs: 3_600_000,
      eventTopic: 'workflow.run.requested',
      payload: { workflowId: 'teller', input: { left: 0 } },
    };
    assert.equal((await set.service.ask('POST', '/api/scheduler/tasks', { body: task })).status, 201);
    await set.service.advance(3_600_000);
    assert.equal((await reader.next())?.event, 'tea.ready');
    assert.equal((await reader.next())?.event, 'schedule.run.succeeded');
    reader.close();
  });

  test('are tools too', async () => {
    set.models.script([
      says(calls('workflow_list')),
      says(calls('workflow_run', { workflowId: 'nothing' })),
      says('Done'),
    ]);
    const { body } = await set.service.ask<{ text: string }>('POST', '/api/chat', {
      body: { text: 'Which workflows are there? Run one.' },
    });
    assert.equal(body.text, 'Done');
    assert.match(set.models.requests.at(-1)?.lastText ?? '', /^Error: Workflow 'nothing' not found$/);
    set.models.script([says(calls('workflow_run', { workflowId: 'health-report' })), says('Well')]);
    await set.service.ask('POST', '/api/chat', { body: { text: 'Run the health report' } });
    const { state, output } = JSON.parse(set.models.requests.at(-1)?.lastText ?? '');
    assert.deepEqual([state, typeof output.status], ['completed', 'string']);
  });
});

interface Listed {
  readonly workflows: readonly { readonly id: string }[];
  readonly count: number;
  readonly badFiles: readonly object[];
}

const weather = `
description: Says what to wear
input:
  type: object
  properties:
    city: { type: string }
    days: { type: integer, default: 3 }
  required: [city]
result:
  advice: '{{ steps.advice }}'
  city: '{{ input.city }}'
  days: '{{ input.days + 1 }}'
steps:
  - id: health
    type: ACTION
    tool: system.health
  - id: is_well
    type: CONDITION
    condition: steps.health.status == "healthy" && input.days > 2
    do:
      - id: advice
        name: Give advice
        type: PROMPT
        slot: chat
        prompt: What to wear in {{ input.city }} for {{ input.days + 1 }} days?
    else:
      - { id: sorry, type: PROMPT, prompt: Say sorry }
`;

const asking = `
steps:
  - { id: agent, type: PROMPT, prompt: What tea does Mia drink? }
  - id: shaped
    type: PROMPT
    system: Be brief
    prompt: What tea does Mia drink?
    schema: { type: object, properties: { tea: { type: string } }, required: [tea] }
  - { id: bare, type: PROMPT, agent: false, prompt: What tea does Mia drink? }
`;

const teller = `
steps:
  - { id: tell, type: EVENT, topic: tea.ready, payload: { left: '{{ input.left }}' } }
  - id: again
    type: EVENT
    if: input.left > 0
    topic: workflow.run.requested
    payload: { workflowId: teller, input: { left: '{{ input.left - 1 }}' } }
`;

function slow(said: string): string {
  return `
result: { said: ${said} }
steps:
  - { id: pause, type: WAIT, duration: 1h }
`;
}
