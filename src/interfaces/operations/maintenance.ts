import { z } from 'zod';
import type { OtherThresholds } from '../../application/maintenance/sweepRequests.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import type { MaintenanceReport } from '../../projections/memory/sweepReport.ts';
import { type AnyOperation, type Caller, defineOperation, id, written } from '../operation.ts';

const area = 'maintenance';

const summary = lazily(() =>
  z.object({
    contradictions: z.int(),
    stale: z.int(),
    orphans: z.int(),
    redundant: z.int(),
    pruned: z.int(),
    decayed: z.int(),
    danglingSources: z.int().describe('Mentions of episodes that are not kept any more; they are left'),
    contradictionPipeline: z.object({
      candidatesSelected: z.int(),
      nliConfirmed: z.int(),
      llmConfirmed: z.int(),
      stageLatencyMs: z.object({ stage1: z.number(), stage2: z.number(), stage3: z.number() }),
    }),
  }),
);

const brief = lazily(() => z.object({ timestamp: z.number(), durationMs: z.int(), summary: summary() }));

const report = lazily(() =>
  brief().extend({
    conclusionsExamined: z.int(),
    episodesChecked: z.int(),
    issues: z
      .array(
        z.object({
          type: z.enum(['stale', 'decay', 'redundant', 'orphan', 'contradiction', 'low_confidence']),
          conclusionId: z.string().optional(),
          episodeId: z.string().optional().describe('Of an orphan'),
          otherId: z.string().optional().describe('What it was merged into, or contradicts'),
          value: z
            .number()
            .optional()
            .describe(
              'What was looked at: days, a confidence, a similarity, an importance of 10, or the factor of a decay',
            ),
          limit: z.number().optional().describe('The threshold that it was held against'),
          from: z.number().optional().describe('Confidence before it decayed'),
          to: z.number().optional(),
          action: z.enum(['flagged', 'unflagged', 'decayed', 'merged', 'pruned']),
          description: z.string(),
        }),
      )
      .readonly()
      .describe('Every change, at most 5,000 of them'),
  }),
);

const share = lazily(() => written(z.coerce.number().min(0).max(1)).optional());
/** By the names that `--what-if` has for them. */
const otherThresholds = lazily(() =>
  z.object({
    stale: written(z.coerce.number().min(0).max(36_500)).optional().describe('Days'),
    decay: share().describe('Factor of the confidence'),
    similarity: written(z.coerce.number().min(0.5).max(1)).optional(),
    orphan: written(z.coerce.number().min(0).max(10)).optional().describe('Importance, of 10'),
    prune: share().describe('Confidence'),
  }),
);

interface Undone {
  readonly undone: readonly string[];
  readonly left: readonly string[];
}

interface MaintenanceDependencies {
  maintain(caller: Caller): Promise<MaintenanceReport>;
  preview(userId: string, thresholds: OtherThresholds): Promise<MaintenanceReport>;
  /** The oldest first. */
  history(userId: string): Promise<readonly z.output<ReturnType<typeof brief>>[]>;
  /** Undefined where there is none, or none any more. */
  /** Undefined where there is no such sweep, or none any more. */
  undo(caller: Caller, timestamp: number, ids: readonly string[] | undefined): Promise<Undone | undefined>;
  reportAt(userId: string, timestamp: number): Promise<MaintenanceReport | undefined>;
}

export function maintenanceOperations(parts: MaintenanceDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'maintenance.run',
      area,
      device: 'never',
      summary: 'Sweeps memory now: flags, decays, merges and prunes',
      description:
        'A request during a sweep gets the report of that sweep. 503 with `errorCode` ' +
        '`PROFILE_DISCONNECTED` needs an operator; with `RESOURCES_BUSY` it can be tried again ' +
        'later, and `reason` says what the machine is busy with.',
      rest: { method: 'POST', path: '/api/memory/maintain', strict: true },
      input: () => z.object({}),
      output: report,
      errors: ['PROFILE_DISCONNECTED', 'RESOURCES_BUSY'],
      example: { input: {} },
      run: (_input, caller) => parts.maintain(caller),
    }),
    defineOperation({
      name: 'maintenance.preview',
      area,
      device: 'never',
      summary: 'Previews a sweep; nothing is changed',
      description: 'With other thresholds when given. No model is asked about contradictions.',
      rest: { method: 'GET', path: '/api/memory/maintain/preview', strict: true },
      input: otherThresholds,
      output: report,
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { prune: 0.5 } },
      run: (input, { userId }) => parts.preview(userId, input),
    }),
    defineOperation({
      name: 'maintenance.history',
      area,
      device: 'never',
      summary: 'The sweeps of the last 30 days, newest first, at most 200',
      rest: { method: 'GET', path: '/api/memory/maintain/history' },
      input: () =>
        z.object({
          limit: written(z.coerce.number().int().min(1).max(200)).default(20),
          before: written(z.coerce.number().int().nonnegative()).optional(),
        }),
      output: () => z.object({ reports: z.array(brief()).readonly(), count: z.int() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { limit: 5 } },
      async run({ limit, before = Number.POSITIVE_INFINITY }, { userId }) {
        const earlier = (await parts.history(userId)).filter(({ timestamp }) => timestamp < before);
        // In the order of the log they are as they were made, which may have been while the clock was ahead.
        const newest = earlier.toSorted((one, other) => other.timestamp - one.timestamp).slice(0, limit);
        const reports = newest.map(({ timestamp, durationMs, summary }) => ({
          timestamp,
          durationMs,
          summary,
        }));
        return { reports, count: reports.length };
      },
    }),
    defineOperation({
      name: 'maintenance.report',
      area,
      device: 'never',
      summary: 'The report of the sweep of this time',
      rest: { method: 'GET', path: '/api/memory/maintain/history/:timestamp' },
      input: () => z.object({ timestamp: written(z.coerce.number().int().nonnegative()) }),
      output: report,
      errors: ['REPORT_UNKNOWN', 'KVSTORE_UNAVAILABLE'],
      example: { input: { timestamp: 0 } },
      async run({ timestamp }, { userId }) {
        const found = await parts.reportAt(userId, timestamp);
        if (!found) throw new HarkError('REPORT_UNKNOWN');
        return found;
      },
    }),
    defineOperation({
      name: 'maintenance.undo',
      area,
      device: 'never',
      summary: 'Takes back what a sweep did, or some of it',
      description:
        'What was pruned or merged stands again, while it is kept; confidence is what it was before; flags go; a ' +
        'contradiction that it found counts as none. `ids` chooses conclusions and episodes, all without. What was ' +
        'changed since stays as it is, and `left` names it.',
      rest: { method: 'POST', path: '/api/memory/maintain/history/:timestamp/undo', strict: true },
      input: () =>
        z.object({
          timestamp: written(z.coerce.number().int().nonnegative()),
          ids: z.array(id()).min(1).max(5_000).optional(),
        }),
      output: () =>
        z.object({ undone: z.array(z.string()).readonly(), left: z.array(z.string()).readonly() }),
      errors: ['REPORT_UNKNOWN', 'KVSTORE_UNAVAILABLE'],
      example: { input: { timestamp: 0 } },
      async run({ timestamp, ids }, caller) {
        const done = await parts.undo(caller, timestamp, ids);
        if (!done) throw new HarkError('REPORT_UNKNOWN');
        return done;
      },
    }),
  ];
}
