import { configChanged } from '../../src/events/settings.ts';
import type { RawEvent } from '../../src/store/rawEvent.ts';

/** An event of the service's own, so that its projections have something to take in. */
export function settingsChanged(index: number): RawEvent {
  return {
    position: index + 1,
    stream: 'settings',
    version: index + 1,
    type: configChanged.type,
    schema: 1,
    at: 1_700_000_000_000 + index,
    userId: null,
    correlationId: `c-${index}`,
    causationId: null,
    subject: null,
    data: JSON.stringify({ changes: { apiRateLimit: 100 + (index % 100) } }),
    sealed: null,
  };
}
