import { consolidationDeferred } from '../events/memory.ts';
import { billingExhausted } from '../events/providers.ts';
import { taskAlerted } from '../events/scheduler.ts';
import { configChanged } from '../events/settings.ts';
import { instanceLost, workAbandoned } from '../events/system.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import type { Topics } from './topics.ts';

/** What whoever runs the service should hear of, although no request failed. */
export function tellOperator(topics: Topics, log: Logger): void {
  topics.on(configChanged, ({ changes }) => log.info({ settings: Object.keys(changes) }, 'settings changed'));
  topics.on(instanceLost, (lost) => log.warn(lost, 'previous process crashed or was killed'));
  topics.on(taskAlerted, (alert) => log.warn(alert, 'a scheduled task fails repeatedly'));
  topics.on(workAbandoned, (work) => log.error(work, 'gave up after the last attempt'));
}

export function countNews(
  topics: Topics,
  { billingExhaustion, consolidationDeferred: deferred }: Metrics,
): void {
  topics.on(billingExhausted, ({ providerId, probed }) => {
    if (!probed) billingExhaustion.inc({ provider: providerId });
  });
  topics.on(consolidationDeferred, ({ reason }) => deferred.inc({ reason }));
}
