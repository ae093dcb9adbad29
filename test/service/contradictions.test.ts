import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { fairJudge } from '../sagas/maintenance/contradictions/scriptedJudge.ts';
import { bytesOf } from '../support/dataDirectory.ts';
import { ModelHost } from '../support/modelHost.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService, ServiceProcess } from '../support/service.ts';

const LIMITS = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' };
const JUDGE = { provider: 'cloud-a', model: 'claude-haiku-4-5' };
const LIKES = 'The user likes oatmilk with coffee';
const DISLIKES = 'The user does not like oatmilk with coffee';

interface Report {
  readonly summary: {
    readonly contradictions: number;
    readonly contradictionPipeline: {
      readonly candidatesSelected: number;
      readonly nliConfirmed: number;
      readonly llmConfirmed: number;
    };
  };
  readonly issues: readonly {
    readonly type: string;
    readonly conclusionId: string;
    readonly description: string;
  }[];
}

describe('contradictions in the started service', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hark-contradictions-'));
  const manifest = join(directory, 'manifest.json');
  const data = join(directory, 'data');
  let models: ScriptedModels;
  let host: ModelHost;
  let service: InProcessService;

  const environment = (more: Record<string, string> = {}) => ({
    ...LIMITS,
    ...providersAt(models),
    SERVICE_KVSTORE_URL: 'embedded',
    SERVICE_DATA_DIR: data,
    SERVICE_NLI_ENABLED: 'true',
    SERVICE_NLI_MANIFEST: manifest,
    ...more,
  });
  const start = async (more: Record<string, string> = {}) => {
    service = await InProcessService.start(environment(more));
    models.script(fairJudge, { endpoint: 'chat' });
    const { status } = await service.put('/api/slots', { slots: { chat: JUDGE } });
    assert.equal(status, 200);
  };
  const sweep = async () => {
    const { status, body, text } = await service.ask<Report>('POST', '/api/memory/maintain', { body: {} });
    assert.equal(status, 200, text);
    return body;
  };
  const state = async (text: string): Promise<string> => {
    const { body } = await service.ask<{ conclusion: { id: string } }>('POST', '/api/memory/conclusions', {
      body: { text, type: 'explicit' },
    });
    return body.conclusion.id;
  };
  const detected = async () => {
    const path = '/api/events?type=memory.contradiction.detected';
    const { body } = await service.get<{ events: readonly { data: Record<string, unknown> }[] }>(path);
    return body.events.map(({ data: { conclusionId, contradicts, evidence } }) => ({
      pair: [conclusionId, contradicts],
      evidence,
    }));
  };
  const health = () => service.get<{ status: string; note?: string; error?: string }>('/health/nli-pipeline');

  beforeAll(async () => {
    [models, host] = await Promise.all([ScriptedModels.start(), ModelHost.start()]);
    writeFileSync(manifest, JSON.stringify(host.model));
    await start();
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([models.stop(), host.stop()]);
    rmSync(directory, { recursive: true });
  });

  test('are found by the judge while the model comes, then by both, and said once for ever', async () => {
    assert.match((await health()).body.note ?? '', /^tiny@1 is not downloaded yet/);
    const [likes, dislikes] = [await state(LIKES), await state(DISLIKES)];
    await state('The user plays chess');
    const first = await sweep();
    assert.deepEqual(
      [first.summary.contradictions, first.summary.contradictionPipeline.nliConfirmed],
      [1, 0],
    );
    const [said] = await detected();
    assert.deepEqual(said?.pair, [likes, dislikes]);
    const { body } = await service.get<{
      conclusions: readonly { id: string; contradicts: readonly string[]; confidence: number }[];
    }>('/api/memory/conclusions');
    const one = body.conclusions.find(({ id }) => id === likes);
    assert.deepEqual([one?.contradicts, one?.confidence], [[dislikes], body.conclusions.at(-1)?.confidence]);

    await service.logs(/the inference model is ready/);
    assert.equal((await health()).body.note, 'tiny@1');
    const [tea, noTea] = [
      await state('The user drinks tea at work'),
      await state('The user does not drink tea at work'),
    ];
    const second = await sweep();
    assert.deepEqual(
      [second.summary.contradictions, second.summary.contradictionPipeline.nliConfirmed],
      [1, 1],
    );
    assert.equal(second.issues.find(({ type }) => type === 'contradiction')?.conclusionId, tea);
    assert.deepEqual(
      (await detected()).map(({ pair }) => pair),
      [
        [likes, dislikes],
        [tea, noTea],
      ],
    );
    assert.match(
      JSON.stringify((await detected())[1]?.evidence),
      /"nli":\{"model":"tiny@1","probability":0\.9/,
    );

    assert.equal((await sweep()).summary.contradictions, 0);
    assert.equal((await detected()).length, 2);
    const { text } = await service.get('/metrics');
    assert.match(text, /service_nli_inferences_total\{result="contradiction"\} 1\n/);
    assert.match(text, /service_contradiction_pipeline_stage_duration_seconds_count\{stage="stage1"\} 3\n/);
  });

  test('leave no word of what was said in the log of the service, nor of the verdicts in the data directory', async () => {
    assert.doesNotMatch(service.logged, /oatmilk/);
    await service.stop();
    for (const [name, bytes] of bytesOf(data)) assert.equal(bytes.includes('oatmilk'), false, name);
    await start();
  });

  test('need no inference model when that is switched off', async () => {
    await service.stop();
    await start({ SERVICE_NLI_ENABLED: 'false' });
    assert.match((await health()).body.note ?? '', /^Not in use \(SERVICE_NLI_ENABLED\)/);
    await state('The user has a dog in the garden');
    await state('The user does not have a dog in the garden');
    const { summary } = await sweep();
    assert.deepEqual([summary.contradictions, summary.contradictionPipeline.nliConfirmed], [1, 0]);
  });

  test('are found without a model that cannot be fetched, and health says why', async () => {
    await service.stop();
    const elsewhere = { ...host.model, id: 'other@1', host: 'http://127.0.0.1:1' };
    writeFileSync(manifest, JSON.stringify(elsewhere));
    await start();
    await state('The user owns a car with a trailer');
    await state('The user does not own a car with a trailer');
    assert.equal((await sweep()).summary.contradictions, 1);
    await service.logs(/the inference model cannot be used/);
    const { status, body } = await health();
    assert.equal(status, 503);
    assert.match(body.error ?? '', /^other@1 cannot be used, The host cannot be reached/);
    const { body: all } = await service.get<{ status: string }>('/api/health');
    assert.equal(all.status, 'degraded');
  });

  test('a description of a model that is none ends the start', async () => {
    const bad = join(directory, 'bad.json');
    writeFileSync(bad, '{"id":"x"}');
    const child = new ServiceProcess({ SERVICE_NLI_MANIFEST: bad });
    assert.equal(await child.exitCode(), 78);
    assert.match(child.stderr, /^SERVICE_NLI_MANIFEST: .* as in docs\/contradictions\.md$/m);
    await child.stop();
  });
});
