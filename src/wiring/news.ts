import type { z } from 'zod';
import { conclusionDrawn, conclusionsErased } from '../events/conclusions.ts';
import { episodeCreated, episodesErased, episodesExpired } from '../events/episodes.ts';
import { maintenanceCompleted, maintenanceFailed } from '../events/maintenance.ts';
import { consolidationDeferred } from '../events/memory.ts';
import { deliveryFailed as notificationFailed } from '../events/notifications.ts';
import { billingExhausted, providerFailed } from '../events/providers.ts';
import { taskAlerted } from '../events/scheduler.ts';
import { configChanged } from '../events/settings.ts';
import { instanceLost, workAbandoned } from '../events/system.ts';
import {
  replySent,
  turnCancelled,
  turnDelegated,
  turnFailed,
  turnInterrupted,
} from '../events/turnEndings.ts';
import { stepTaken, toolReturned } from '../events/turns.ts';
import { deliveryFailed as webhookFailed } from '../events/webhooks.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { failureKinds, providerIds } from '../vocabulary.ts';
import type { Topics } from './topics.ts';

type Step = Pick<z.output<(typeof stepTaken)['data']>, 'provider' | 'model' | 'usage' | 'usd' | 'timing'>;

/** What whoever runs the service should hear of, although no request failed. */
export function tellOperator(topics: Topics, log: Logger): void {
  topics.on(configChanged, ({ changes }) => log.info({ settings: Object.keys(changes) }, 'settings changed'));
  topics.on(instanceLost, (lost) => log.warn(lost, 'previous process crashed or was killed'));
  topics.on(taskAlerted, (alert) => log.warn(alert, 'a scheduled task fails repeatedly'));
  topics.on(workAbandoned, (work) => log.error(work, 'gave up after the last attempt'));
}

interface CountingOptions {
  readonly topics: Topics;
  readonly metrics: Metrics;
}

/** What is told in events is counted by them: in each process on a store, whichever it happened in. */
export function countNews({ topics, metrics }: CountingOptions): void {
  topics.on(billingExhausted, ({ providerId, probed }) => {
    if (!probed) metrics.billingExhaustion.inc({ provider: providerId });
  });
  for (const kind of failureKinds)
    for (const provider of providerIds) metrics.providerFailures.inc({ provider, kind }, 0);
  topics.on(providerFailed, ({ providerId, kind }) =>
    metrics.providerFailures.inc({ provider: providerId, kind }),
  );
  topics.on(consolidationDeferred, ({ reason }) => metrics.consolidationDeferred.inc({ reason }));
  topics.on(instanceLost, () => metrics.instancesLost.inc());
  topics.on(workAbandoned, () => metrics.workAbandoned.inc());
  topics.on(taskAlerted, () => metrics.taskAlerts.inc());
  topics.on(webhookFailed, () => metrics.webhookFailures.inc());
  topics.on(notificationFailed, () => metrics.notificationFailures.inc());
  countTurns({ topics, metrics });
  countMemory({ topics, metrics });
}

function countTurns({ topics, metrics }: CountingOptions): void {
  const countStep = ({ provider, model, usage, usd, timing }: Step) => {
    if (provider === null || model === null) return;
    metrics.modelCalls.inc({ provider });
    metrics.modelTokens.inc({ provider, direction: 'input' }, usage.inputTokens);
    metrics.modelTokens.inc({ provider, direction: 'output' }, usage.outputTokens);
    if (timing) metrics.modelDuration.observe({ provider }, timing.ms / 1_000);
    if (typeof timing?.firstPartMs === 'number')
      metrics.modelFirstPart.observe({ provider }, timing.firstPartMs / 1_000);
    if (usd !== undefined) metrics.modelCost.inc({ provider }, usd);
  };
  topics.on(stepTaken, countStep);
  topics.on(replySent, (reply) => {
    countStep(reply);
    const { durationMs, fallback } = reply.metadata;
    metrics.turns.inc({ end: 'replied' });
    metrics.turnDuration.observe(durationMs / 1_000);
    if (fallback) metrics.turnFallbacks.inc();
  });
  topics.on(turnDelegated, () => metrics.turns.inc({ end: 'delegated' }));
  topics.on(turnFailed, () => metrics.turns.inc({ end: 'failed' }));
  topics.on(turnCancelled, () => metrics.turns.inc({ end: 'cancelled' }));
  topics.on(turnInterrupted, () => metrics.turns.inc({ end: 'interrupted' }));
  topics.on(toolReturned, ({ failed }) => metrics.toolCalls.inc({ result: failed ? 'failed' : 'ok' }));
}

function countMemory({ topics, metrics }: CountingOptions): void {
  const count = (kind: string, by = 1) => metrics.memoryRecords.inc({ kind }, by);
  topics.on(episodeCreated, () => count('episode'));
  topics.on(conclusionDrawn, () => count('conclusion'));
  topics.on(episodesErased, ({ episodes }) => count('erased_episode', episodes.length));
  topics.on(episodesExpired, ({ episodes }) => count('erased_episode', episodes.length));
  topics.on(conclusionsErased, ({ conclusionIds }) => count('erased_conclusion', conclusionIds.length));
  topics.on(maintenanceCompleted, ({ durationMs }, { at }) => {
    metrics.sweeps.inc({ result: 'completed' });
    metrics.sweepDuration.observe(durationMs / 1_000);
    metrics.lastSweep.set(at / 1_000);
  });
  topics.on(maintenanceFailed, () => metrics.sweeps.inc({ result: 'failed' }));
}
