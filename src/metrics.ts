import { Counter, Family, Gauge, Histogram, Summary } from './metricTypes.ts';
import { providerIds } from './vocabulary.ts';

/** Why background work was put off. */
const DEFERRALS = ['voice_active', 'cooldown', 'load', 'model_busy', 'policy'] as const;

/**
 * Every metric of the service. What areas count is declared here from the start, so that a dashboard or an alert
 * on it finds a zero and not a gap.
 */
export class Metrics {
  readonly httpRequests = new Family('counter', () => new Counter(), {
    name: 'service_http_requests_total',
    help: 'Requests by method, route pattern and status.',
    labels: ['method', 'path', 'status'],
  });
  readonly httpDuration = new Family('histogram', () => new Histogram(), {
    name: 'service_http_request_duration_seconds',
    help: 'Time from request to end of answer, by method and route pattern.',
    labels: ['method', 'path'],
  });
  readonly nliInferences = new Family('counter', () => new Counter(), {
    name: 'service_nli_inferences_total',
    help: 'Verdicts of the local inference model on pairs of conclusions.',
    labels: ['result'],
  });
  readonly nliDuration = new Family('summary', () => new Summary(), {
    name: 'service_nli_inference_duration_seconds',
    help: 'Time of one inference on a pair.',
  });
  readonly catalogFetches = new Family('counter', () => new Counter(), {
    name: 'service_provider_catalog_fetch_total',
    help: 'Fetches of a model catalog over the network, by provider and outcome.',
    labels: ['provider', 'status'],
  });
  /** Has a series once a catalog was fetched: before that the number is not known to be zero. */
  readonly catalogModels = new Family('gauge', () => new Gauge(), {
    name: 'service_provider_catalog_models_count',
    help: 'Models in the newest catalog of a provider.',
    labels: ['provider'],
  });
  readonly backgroundWorkSafe = new Family('gauge', () => new Gauge(), {
    name: 'service_background_work_safe',
    help: 'Whether background model calls may run now: 1 or 0.',
  });
  readonly consolidationDeferred = new Family('counter', () => new Counter(), {
    name: 'service_memory_consolidation_deferred_total',
    help: 'Consolidations put off, by reason.',
    labels: ['reason'],
  });
  readonly guardDeferrals = new Family('counter', () => new Counter(), {
    name: 'service_resource_guard_defer_count_total',
    help: 'Background model calls put off by the resource guard, by reason.',
    labels: ['reason'],
  });
  readonly pairCacheLookups = new Family('counter', () => new Counter(), {
    name: 'service_pair_cache_lookups_total',
    help: 'Lookups of verdicts in the pair cache, by outcome.',
    labels: ['result'],
  });
  readonly contradictionStage = new Family('histogram', () => new Histogram(), {
    name: 'service_contradiction_pipeline_stage_duration_seconds',
    help: 'Time of one stage of the contradiction pipeline.',
    labels: ['stage'],
  });
  readonly judgedPairs = new Family('counter', () => new Counter(), {
    name: 'service_contradiction_judge_pairs_total',
    help: 'Pairs of conclusions put to the judging model, by what came of it.',
    labels: ['result'],
  });
  readonly billingExhaustion = new Family('counter', () => new Counter(), {
    name: 'service_provider_billing_exhaustion_total',
    help: 'Times a provider said that its credit is used up.',
    labels: ['provider'],
  });

  constructor() {
    for (const result of ['contradiction', 'neutral', 'entailment']) this.nliInferences.with({ result });
    for (const provider of providerIds) {
      for (const status of ['success', 'failure']) this.catalogFetches.with({ provider, status });
      this.billingExhaustion.with({ provider });
    }
    for (const reason of DEFERRALS) {
      this.consolidationDeferred.with({ reason });
      this.guardDeferrals.with({ reason });
    }
    for (const result of ['hit', 'miss']) this.pairCacheLookups.with({ result });
    for (const result of ['contradiction', 'compatible', 'invalid', 'unanswered'])
      this.judgedPairs.with({ result });
    for (const stage of ['stage1', 'stage2', 'stage3']) this.contradictionStage.with({ stage });
    this.nliDuration.with({});
    this.backgroundWorkSafe.with({});
  }

  render(): string {
    const families = Object.values(this).filter((member) => member instanceof Family);
    return families.map((family) => family.render()).join('');
  }
}
