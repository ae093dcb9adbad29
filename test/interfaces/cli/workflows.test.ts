import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService, TEST_NOW } from '../../support/service.ts';
import { hark, TemporaryFolder } from './hark.ts';

describe('hark workflows', () => {
  let service: InProcessService;
  const folder = new TemporaryFolder();
  beforeAll(async () => {
    mkdirSync(join(folder.path, 'workflows'));
    writeFileSync(join(folder.path, 'workflows/bad.yaml'), 'steps: []');
    writeFileSync(
      join(folder.path, 'workflows/sum.yaml'),
      'description: Adds one\nresult: { sum: "{{ input.n + 1 }}" }\nsteps: [{ id: is_big, type: CONDITION, condition: input.n > 2 }]',
    );
    service = await InProcessService.start({ API_RATE_LIMIT: '100000', SERVICE_DATA_DIR: folder.path });
  });
  afterAll(async () => {
    await service.stop();
    folder[Symbol.dispose]();
  });

  const workflows = (...args: readonly string[]) => hark(['workflows', ...args], { HARK_URL: service.url });

  test('are listed, bad files too', async () => {
    const { stdout } = await workflows('list');
    assert.match(stdout, /^sum +1 step +Adds one$/m);
    assert.match(stdout, /^bad +bad\.yaml +not in use +steps: /m);
    const { workflows: all } = JSON.parse((await workflows('list', '--json')).stdout);
    assert.equal(all.length, 4);
  });

  test('are run', async () => {
    const { stdout, code } = await workflows('run', 'sum', '--input', '{"n":3}');
    assert.equal(code, 0);
    assert.match(stdout, /^completed {2}\S+ {2}sum\n +is_big +completed\n\{\n {2}"sum": 4\n\}\n$/);
  });

  test('are shown and cancelled', async () => {
    const input = JSON.stringify({ text: 'Hi', at: TEST_NOW + 3_600_000 });
    const { execution } = JSON.parse(
      (await workflows('run', 'prompt-later', '--input', input, '--json')).stdout,
    );
    const { stdout } = await workflows('show', execution.id);
    assert.match(stdout, /^waiting .*\n +moment +waiting +until 2023-11-14/);
    const executions = () => workflows('executions', '--workflow', 'prompt-later', '--limit', '1');
    const row = (state: string) => new RegExp(`^${state} +2023-11-14T\\S+ +${execution.id} +prompt-later\n$`);
    assert.match((await executions()).stdout, row('waiting'));
    assert.match((await workflows('cancel', execution.id)).stdout, /^cancelled /);
    assert.match((await executions()).stdout, row('cancelled'));
    assert.equal((await workflows('executions', '--state', 'waiting')).stdout, 'nothing\n');
  });

  for (const [what, args, code, said] of [
    ['a run that fails', ['run', 'sum', '--input', '{}'], 1, /Workflow execution failed.*No such key: n/],
    ['an unknown workflow', ['run', 'none'], 1, /Workflow not found/],
    ['an input that is no JSON', ['run', 'sum', '--input', '{'], 64, /--input: is not valid JSON/],
    ['an unknown execution', ['show', 'none'], 1, /Unknown execution/],
    ['a state that there is not', ['executions', '--state', 'lost'], 64, /--state/],
  ] as const)
    test(`say so: ${what}`, async () => {
      const failed = await workflows(...args);
      assert.equal(failed.code, code);
      assert.match(failed.stderr, said);
    });
});
