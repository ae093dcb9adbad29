import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../support/service.ts';
import { skippedFor } from '../support/skippedFor.ts';

const promtoolIsMissing =
  spawnSync('promtool', ['--version']).status === 0
    ? false
    : 'promtool is not installed (apt-get install prometheus)';

/** Every metric of the specification, with its labels. */
const METRICS = {
  service_http_requests_total: 'counter',
  service_http_request_duration_seconds: 'histogram',
  service_nli_inferences_total: 'counter',
  service_nli_inference_duration_seconds: 'summary',
  service_provider_catalog_fetch_total: 'counter',
  service_provider_catalog_models_count: 'gauge',
  service_background_work_safe: 'gauge',
  service_memory_consolidation_deferred_total: 'counter',
  service_resource_guard_defer_count_total: 'counter',
  service_pair_cache_lookups_total: 'counter',
  service_contradiction_pipeline_stage_duration_seconds: 'histogram',
  service_provider_billing_exhaustion_total: 'counter',
};

describe('metrics', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start({ API_RATE_LIMIT: '1000' });
    await service.get('/api/settings');
    await service.get('/api/nowhere');
    await service.put('/api/settings', { nope: 1 });
  });
  afterAll(() => service.stop());

  const exposed = async () => (await service.get('/metrics')).text;

  test('promtool finds nothing to complain about', { ...skippedFor(promtoolIsMissing) }, async () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: await exposed(),
      encoding: 'utf8',
    });
    assert.equal(stdout + stderr, '');
    assert.equal(status, 0);
  });

  for (const name of [
    'process_cpu_seconds_total',
    'nodejs_eventloop_lag_p99_seconds',
    'nodejs_gc_duration_seconds',
  ])
    test(`the process tells ${name} of itself`, async () => {
      assert.match(
        await exposed(),
        new RegExp(`# HELP ${name} .+\n# TYPE ${name} (counter|gauge|histogram)\n`),
      );
    });

  test('they come in the text format', async () => {
    const { headers } = await service.get('/metrics');
    assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  });

  for (const [name, type] of Object.entries(METRICS))
    test(`${name} is declared from the start`, async () => {
      assert.match(await exposed(), new RegExp(`# HELP ${name} .+\n# TYPE ${name} ${type}\n`));
    });

  for (const series of [
    'service_nli_inferences_total{result="contradiction"} 0',
    'service_nli_inferences_total{result="neutral"} 0',
    'service_nli_inferences_total{result="entailment"} 0',
    'service_nli_inference_duration_seconds{quantile="0.5"} 0',
    'service_nli_inference_duration_seconds{quantile="0.95"} 0',
    'service_nli_inference_duration_seconds{quantile="0.99"} 0',
    'service_nli_inference_duration_seconds_count 0',
    'service_provider_billing_exhaustion_total{provider="cloud-a"} 0',
    'service_contradiction_pipeline_stage_duration_seconds_count{stage="stage3"} 0',
    'service_http_requests_total{method="GET",path="/api/settings",status="200"} 1',
    'service_http_requests_total{method="PUT",path="/api/settings",status="400"} 1',
    'service_http_requests_total{method="GET",path="unmatched",status="404"} 1',
    'service_http_request_duration_seconds_count{method="GET",path="/api/settings"} 1',
  ])
    test(`there is ${series}`, async () => {
      assert((await exposed()).includes(`\n${series}\n`));
    });

  test('a histogram grows with its bounds, up to all', async () => {
    const lines = (await exposed()).matchAll(
      /duration_seconds_bucket{le="([^"]+)",method="GET",path="\/api\/settings"} (\d+)/g,
    );
    const buckets = Array.from(lines, ([, bound, count]) => ({ bound, count: Number(count) }));
    assert.equal(buckets.at(-1)?.bound, '+Inf');
    assert.equal(buckets.at(-1)?.count, 1);
    const counts = buckets.map(({ count }) => count);
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    );
  });
});
