import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import Registry from 'prom-client/lib/registry.js';
import Summary from 'prom-client/lib/summary.js';
import { TalliedCounter, TalliedHistogram } from './tallies.ts';
import { providerIds } from './vocabulary.ts';
import { type VoiceStatistics, voiceStages } from './voiceStatistics.ts';

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Of what a model does. */
const LONG_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160];
const QUANTILES = [0.5, 0.95, 0.99];
/** A quantile is that of the newest ten minutes, in which old values make way a fifth at a time. */
const QUANTILES_OF = { maxAgeSeconds: 600, ageBuckets: 5 };

/** Gauges that are named as counters are. What they add up is there by type. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** Why background work was put off. */
const DEFERRALS = ['voice_active', 'cooldown', 'load', 'model_busy', 'policy'] as const;

/**
 * Every metric of the service, and of its process. What areas count is declared here from the start, so that a dashboard or an alert
 * on it finds a zero and not a gap.
 */
export class Metrics {
  readonly #registry = new Registry();
  #withProcess: Promise<void> | undefined;
  readonly httpRequests = new TalliedCounter({
    name: 'service_http_requests_total',
    help: 'Requests by method, route pattern and status.',
    labelNames: ['method', 'path', 'status'] as const,
    registers: [this.#registry],
  });
  readonly httpDuration = new TalliedHistogram({
    name: 'service_http_request_duration_seconds',
    help: 'Time from request to end of answer, by method and route pattern.',
    labelNames: ['method', 'path'] as const,
    buckets: SECONDS_BUCKETS,
    registers: [this.#registry],
  });
  readonly nliInferences = new Counter({
    name: 'service_nli_inferences_total',
    help: 'Verdicts of the local inference model on pairs of conclusions.',
    labelNames: ['result'] as const,
    registers: [this.#registry],
  });
  readonly nliDuration = new Summary({
    name: 'service_nli_inference_duration_seconds',
    help: 'Time of one inference on a pair.',
    percentiles: QUANTILES,
    ...QUANTILES_OF,
    registers: [this.#registry],
  });
  readonly catalogFetches = new Counter({
    name: 'service_provider_catalog_fetch_total',
    help: 'Fetches of a model catalog over the network, by provider and outcome.',
    labelNames: ['provider', 'status'] as const,
    registers: [this.#registry],
  });
  /** Has a series once a catalog was fetched: before that the number is not known to be zero. */
  readonly catalogModels = new Gauge({
    name: 'service_provider_catalog_models_count',
    help: 'Models in the newest catalog of a provider.',
    labelNames: ['provider'] as const,
    registers: [this.#registry],
  });
  readonly backgroundWorkSafe = new Gauge({
    name: 'service_background_work_safe',
    help: 'Whether background model calls may run now: 1 or 0.',
    registers: [this.#registry],
  });
  readonly consolidationDeferred = new Counter({
    name: 'service_memory_consolidation_deferred_total',
    help: 'Consolidations put off, by reason.',
    labelNames: ['reason'] as const,
    registers: [this.#registry],
  });
  readonly guardDeferrals = new Counter({
    name: 'service_resource_guard_defer_count_total',
    help: 'Background model calls put off by the resource guard, by reason.',
    labelNames: ['reason'] as const,
    registers: [this.#registry],
  });
  readonly pairCacheLookups = new Counter({
    name: 'service_pair_cache_lookups_total',
    help: 'Lookups of verdicts in the pair cache, by outcome.',
    labelNames: ['result'] as const,
    registers: [this.#registry],
  });
  readonly contradictionStage = new Histogram({
    name: 'service_contradiction_pipeline_stage_duration_seconds',
    help: 'Time of one stage of the contradiction pipeline.',
    labelNames: ['stage'] as const,
    buckets: SECONDS_BUCKETS,
    registers: [this.#registry],
  });
  readonly judgedPairs = new Counter({
    name: 'service_contradiction_judge_pairs_total',
    help: 'Pairs of conclusions put to the judging model, by what came of it.',
    labelNames: ['result'] as const,
    registers: [this.#registry],
  });
  readonly billingExhaustion = new Counter({
    name: 'service_provider_billing_exhaustion_total',
    help: 'Times a provider said that its credit is used up.',
    labelNames: ['provider'] as const,
    registers: [this.#registry],
  });
  readonly voiceStage = new Histogram({
    name: 'service_voice_stage_duration_seconds',
    help: 'Time of one stage of a turn by voice.',
    labelNames: ['stage'] as const,
    buckets: SECONDS_BUCKETS,
    registers: [this.#registry],
  });
  readonly #voiceAudio = new Counter({
    name: 'service_voice_audio_frames_total',
    help: 'Frames of audio, by direction.',
    labelNames: ['direction'] as const,
    registers: [this.#registry],
  });
  readonly #voiceGaps = new Counter({
    name: 'service_voice_gaps_total',
    help: 'Places where something of a microphone was missing.',
    registers: [this.#registry],
  });

  readonly turns = new Counter({
    name: 'service_turns_total',
    help: 'Turns of chat that are over, by how they ended.',
    labelNames: ['end'] as const,
    registers: [this.#registry],
  });
  readonly turnDuration = new Histogram({
    name: 'service_turn_duration_seconds',
    help: 'Time of a turn that was answered.',
    buckets: LONG_BUCKETS,
    registers: [this.#registry],
  });
  readonly turnFallbacks = new Counter({
    name: 'service_turn_fallbacks_total',
    help: 'Turns that another model than the first of the slot answered.',
    registers: [this.#registry],
  });
  readonly toolCalls = new Counter({
    name: 'service_tool_calls_total',
    help: 'Calls of tools in turns, by outcome.',
    labelNames: ['result'] as const,
    registers: [this.#registry],
  });
  readonly modelCalls = new Counter({
    name: 'service_model_calls_total',
    help: 'Answers of models in turns, by provider.',
    labelNames: ['provider'] as const,
    registers: [this.#registry],
  });
  readonly modelDuration = new Histogram({
    name: 'service_model_call_duration_seconds',
    help: 'Time of one answer of a model in a turn.',
    labelNames: ['provider'] as const,
    buckets: LONG_BUCKETS,
    registers: [this.#registry],
  });
  readonly modelFirstPart = new Histogram({
    name: 'service_model_first_part_seconds',
    help: 'Time to the first part of one answer of a model in a turn.',
    labelNames: ['provider'] as const,
    buckets: LONG_BUCKETS,
    registers: [this.#registry],
  });
  readonly modelTokens = new Counter({
    name: 'service_model_tokens_total',
    help: 'Tokens of answers of models in turns, by provider and direction.',
    labelNames: ['provider', 'direction'] as const,
    registers: [this.#registry],
  });
  /** Where a price is known. */
  readonly modelCost = new Counter({
    name: 'service_model_cost_usd_total',
    help: 'Price of answers of models in turns, as far as catalogs name one.',
    labelNames: ['provider'] as const,
    registers: [this.#registry],
  });
  readonly providerFailures = new Counter({
    name: 'service_provider_failures_total',
    help: 'Times a provider did not answer, by why.',
    labelNames: ['provider', 'kind'] as const,
    registers: [this.#registry],
  });
  readonly memoryRecords = new Counter({
    name: 'service_memory_records_total',
    help: 'Episodes and conclusions that were made, and those that were erased or whose time was over.',
    labelNames: ['kind'] as const,
    registers: [this.#registry],
  });
  readonly sweeps = new Counter({
    name: 'service_memory_sweeps_total',
    help: 'Sweeps of memory, by how they ended.',
    labelNames: ['result'] as const,
    registers: [this.#registry],
  });
  readonly sweepDuration = new Histogram({
    name: 'service_memory_sweep_duration_seconds',
    help: 'Time of one sweep of memory.',
    buckets: LONG_BUCKETS,
    registers: [this.#registry],
  });
  /** 0 where none was seen since the start. */
  readonly lastSweep = new Gauge({
    name: 'service_memory_last_sweep_timestamp_seconds',
    help: 'When the last sweep of memory was over, in Unix time.',
    registers: [this.#registry],
  });
  readonly instancesLost = new Counter({
    name: 'service_instances_lost_total',
    help: 'Processes that ended without a word.',
    registers: [this.#registry],
  });
  readonly workAbandoned = new Counter({
    name: 'service_work_abandoned_total',
    help: 'Work in the background that was given up after the last attempt.',
    registers: [this.#registry],
  });
  readonly taskAlerts = new Counter({
    name: 'service_task_alerts_total',
    help: 'Scheduled tasks that began to fail again and again.',
    registers: [this.#registry],
  });
  readonly webhookFailures = new Counter({
    name: 'service_webhook_delivery_failures_total',
    help: 'Messages that a webhook did not take.',
    registers: [this.#registry],
  });
  readonly notificationFailures = new Counter({
    name: 'service_notification_delivery_failures_total',
    help: 'Notifications that a channel did not take.',
    registers: [this.#registry],
  });
  readonly storeUp = new Gauge({
    name: 'service_store_up',
    help: 'Whether the store can be reached: 1 or 0.',
    registers: [this.#registry],
  });
  readonly storePosition = new Gauge({
    name: 'service_store_position',
    help: 'Position of the newest event of the log that this process knows.',
    registers: [this.#registry],
  });
  readonly voiceSessions = new Gauge({
    name: 'service_voice_sessions',
    help: 'Sessions by voice that are open in this process.',
    registers: [this.#registry],
  });

  constructor() {
    for (const stage of voiceStages) this.voiceStage.zero({ stage });
    for (const direction of ['in', 'out']) this.#voiceAudio.inc({ direction }, 0);
    for (const result of ['contradiction', 'neutral', 'entailment']) this.nliInferences.inc({ result }, 0);
    for (const provider of providerIds) {
      for (const status of ['success', 'failure']) this.catalogFetches.inc({ provider, status }, 0);
      this.billingExhaustion.inc({ provider }, 0);
      this.modelCalls.inc({ provider }, 0);
      this.modelCost.inc({ provider }, 0);
      for (const direction of ['input', 'output']) this.modelTokens.inc({ provider, direction }, 0);
      this.modelDuration.zero({ provider });
      this.modelFirstPart.zero({ provider });
    }
    for (const end of ['replied', 'delegated', 'failed', 'cancelled', 'interrupted'])
      this.turns.inc({ end }, 0);
    for (const result of ['ok', 'failed']) this.toolCalls.inc({ result }, 0);
    for (const result of ['completed', 'failed']) this.sweeps.inc({ result }, 0);
    for (const kind of ['episode', 'conclusion', 'erased_episode', 'erased_conclusion'])
      this.memoryRecords.inc({ kind }, 0);
    for (const reason of DEFERRALS) {
      this.consolidationDeferred.inc({ reason }, 0);
      this.guardDeferrals.inc({ reason }, 0);
    }
    this.consolidationDeferred.inc({ reason: 'model_away' }, 0);
    for (const result of ['hit', 'miss']) this.pairCacheLookups.inc({ result }, 0);
    for (const result of ['contradiction', 'compatible', 'invalid', 'unanswered'])
      this.judgedPairs.inc({ result }, 0);
    for (const stage of ['stage1', 'stage2', 'stage3']) this.contradictionStage.zero({ stage });
  }

  /** What is counted frame by frame is taken over when somebody looks. */
  takeOver({ audioChunksIn, audioChunksOut, gaps }: VoiceStatistics): void {
    this.#voiceAudio.reset();
    this.#voiceAudio.inc({ direction: 'in' }, audioChunksIn);
    this.#voiceAudio.inc({ direction: 'out' }, audioChunksOut);
    this.#voiceGaps.reset();
    this.#voiceGaps.inc(gaps);
  }

  /** The process's own metrics are collected from the first time on that somebody asks: a start does without. */
  async render(): Promise<string> {
    this.#withProcess ??= this.#addProcessMetrics();
    await this.#withProcess;
    return this.#registry.metrics();
  }

  /** The same as values. */
  async read() {
    this.#withProcess ??= this.#addProcessMetrics();
    await this.#withProcess;
    return this.#registry.getMetricsAsJSON();
  }

  async #addProcessMetrics(): Promise<void> {
    const { default: collectDefaultMetrics } = await import('prom-client/lib/defaultMetrics.js');
    collectDefaultMetrics({ register: this.#registry });
    for (const name of MISNAMED) this.#registry.removeSingleMetric(name);
  }
}
