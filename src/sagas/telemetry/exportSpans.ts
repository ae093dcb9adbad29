import { completing, type SpanOptions, spansOf } from '../../projections/telemetry/spansOf.ts';
import type { EventReader } from '../../store/port.ts';
import type { Span } from '../../tracing/span.ts';
import { defineSaga, type Saga } from '../saga.ts';

interface ExportOptions extends SpanOptions {
  readonly store: () => EventReader;
  /** Resolves when they have been taken. */
  readonly send: (spans: readonly Span[]) => Promise<void>;
}

/** However long the collector is away: what is not sent is sent when it is back. */
const AGAIN = { tries: Number.POSITIVE_INFINITY, firstPauseMs: 1_000, longestPauseMs: 60_000 };

/**
 * Tells a collector what happened, in spans with the times that the log has. It follows the log from where it was, so
 * that a crash leaves nothing out: what was begun before it is told with its end.
 */
export function exportSpans({ store, send, ...options }: ExportOptions): Saga {
  return defineSaga({
    name: 'export-spans',
    on: completing,
    retry: AGAIN,
    key: ({ stream }) => stream,
    async react(event) {
      const spans = await spansOf(store(), event, options);
      if (spans.length > 0) await send(spans);
    },
  });
}
