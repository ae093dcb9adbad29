import { delimiter, resolve } from 'node:path';
import { z } from 'zod';
import { faultOfExpression } from '../recurrence.ts';
import { isZone } from '../zonedTime.ts';
import { between, count, facts, flag, share, text, whole } from './kinds.ts';

/** Of what is remembered: how it is found, how long it is kept, and how it is maintained. */
export const memoryVariables = {
  SERVICE_MEMORY_RETENTION_DAYS: count.default(30).register(facts, {
    setting: 'memoryRetentionDays',
    about: 'Days that episodes, conversations without an episode, and pruned conclusions are kept',
  }),
  SERVICE_MEMORY_SEARCH_MODE: z
    .enum(['keyword', 'semantic', 'hybrid'])
    .default('hybrid')
    .register(facts, { setting: 'memorySearchMode', about: 'How memory is searched' }),
  SERVICE_MEMORY_SIMILARITY_THRESHOLD: share.default(0.3).register(facts, {
    setting: 'memorySimilarityThreshold',
    about: 'Least similarity (cosine) of what is found by meaning',
  }),
  SERVICE_MEMORY_VECTORS: z.enum(['auto', 'process']).default('auto').register(facts, {
    about: 'Where vectors are searched: auto is in Redis when the log is there, and in the process otherwise',
  }),
  SERVICE_MEMORY_QUERY_EXPANSION: flag.default(false).register(facts, {
    setting: 'memoryQueryExpansion',
    about: 'Rewrites memory queries with the local model',
  }),
  SERVICE_MEMORY_TOKEN_BUDGET: count
    .default(1_500)
    .register(facts, { setting: 'memoryTokenBudget', about: 'Tokens of assembled memory context' }),
  SERVICE_MEMORY_INGESTS_PER_SESSION: whole(0).default(5).register(facts, {
    setting: 'memoryIngestsPerSession',
    about: 'Most answers of one session that are kept as episodes of their own',
  }),
  SERVICE_IMPORT_ROOTS: text
    .transform((list) =>
      list
        .split(delimiter)
        .filter((path) => path !== '')
        .map((path) => resolve(path)),
    )
    .default([])
    .register(facts, { about: 'Projects, or folders of projects, whose memories can be imported' }),
  SERVICE_MEMORY_STALE_DAYS: count.default(90).register(facts, {
    setting: 'staleThresholdDays',
    about: 'Days after which a conclusion counts as stale',
  }),
  SERVICE_MEMORY_DECAY_FACTOR: share.default(0.9).register(facts, {
    setting: 'decayFactor',
    about: 'What the confidence of a stale conclusion is multiplied by in each sweep',
  }),
  SERVICE_MEMORY_REDUNDANCY_SIMILARITY: between(0.5, 1).default(0.85).register(facts, {
    setting: 'redundancySimilarity',
    about: 'Least similarity (Jaccard) of two conclusions that are merged',
  }),
  SERVICE_MEMORY_ORPHAN_IMPORTANCE: between(0, 10).default(3).register(facts, {
    setting: 'orphanImportanceThreshold',
    about: 'An episode that nothing is concluded from is flagged below this importance, of 10',
  }),
  SERVICE_MEMORY_PRUNE_CONFIDENCE: share.default(0.3).register(facts, {
    setting: 'pruneConfidenceThreshold',
    about: 'A conclusion is pruned below this confidence',
  }),
  SERVICE_CONSOLIDATION_PROVIDER: text
    .optional()
    .register(facts, { about: 'Legacy: provider of the consolidation slot' }),
  SERVICE_CONSOLIDATION_MODEL: text
    .optional()
    .register(facts, { about: 'Legacy: model of the consolidation slot' }),
  SERVICE_MAINTENANCE_ENABLED: flag
    .default(true)
    .register(facts, { about: 'false stops every maintenance sweep' }),
  SERVICE_MAINTENANCE_CRON: text
    .refine((expression) => faultOfExpression(expression) === undefined, 'must be a cron expression')
    .default('0 3 * * *')
    .register(facts, { about: 'When memory is swept, as a cron expression' }),
  SERVICE_MAINTENANCE_TIMEZONE: text
    .refine(isZone, 'must be an IANA time zone')
    .default('UTC')
    .register(facts, { about: 'Time zone of the maintenance schedule' }),
  SERVICE_BACKGROUND_WORK_POLICY: z
    .enum(['auto', 'always', 'idle-only'])
    .default('auto')
    .register(facts, { setting: 'backgroundWorkPolicy', about: 'When background model calls may run' }),
  SERVICE_NLI_ENABLED: flag
    .default(true)
    .register(facts, { about: 'false skips stage 2 of the contradiction pipeline' }),
  SERVICE_NLI_MODEL_SIZE: z.enum(['small', 'base']).default('base').register(facts, {
    setting: 'nliModelSize',
    restart: true,
    about: 'Which inference model judges contradictions',
  }),
  SERVICE_NLI_MANIFEST: text
    .transform((path) => resolve(path))
    .optional()
    .register(facts, { about: 'File that describes another inference model than the pinned ones' }),
  SERVICE_NLI_CONTRADICTION_THRESHOLD: share.default(0.7).register(facts, {
    setting: 'nliContradictionThreshold',
    about: 'Least probability that counts as a contradiction',
  }),
  SERVICE_PAIR_CACHE_TTL_SECONDS: count
    .default(604_800)
    .register(facts, { setting: 'pairCacheTtlSeconds', about: 'How long a verdict on a pair is reused' }),
};
