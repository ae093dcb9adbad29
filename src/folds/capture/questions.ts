import type { ConsentLevel } from '../../vocabulary.ts';
import type { Batch, Captures, CapturingStream, Consent } from './state.ts';

/* What decisions, readers and sagas ask of what a user captures. */

export function consentFor({ consents }: Captures, deviceId: string): Consent | undefined {
  return consents.find((one) => one.deviceId === deviceId);
}

/** When the pause that goes on will be over; null when there is none. */
export function pausedUntil({ pauses }: Pick<Captures, 'pauses'>, now: number): number | null {
  const until = pauses.at(-1)?.until ?? 0;
  return now < until ? until : null;
}

/** Whether all of it was recorded in one pause. */
export function isOfPause({ pauses }: Captures, { startedAt, durationMs }: Recorded): boolean {
  return pauses.some(
    ({ from, until }) => from < until && from <= startedAt && startedAt + durationMs <= until,
  );
}

interface Recorded {
  readonly startedAt: number;
  readonly durationMs: number;
}

/** So long a stream goes on without a sign of life; a pause is none of its own. */
const SILENT_MS = 60_000;

/** When the stream is over unless something comes by it. */
export function silentFrom({ pauses }: Captures, { lastSignAt }: CapturingStream): number {
  return Math.max(lastSignAt, pauses.at(-1)?.until ?? 0) + SILENT_MS;
}

/** The words that come by a stream go there. */
export function openBatch({ batches }: Captures, streamId: string): Batch | undefined {
  return batches.find((one) => one.streamId === streamId && !one.gathered);
}

export function isRunning({ stoppedAt }: CapturingStream): boolean {
  return stoppedAt === null;
}

export function runningStreams({ streams }: Captures): readonly CapturingStream[] {
  return Object.values(streams).filter(isRunning);
}

/** What is not allowed at a level, of a device whose media have waited under another one. */
export function notAllowedAt(level: ConsentLevel, deviceId: string, { media }: Captures): readonly string[] {
  if (level === 'active' || level === 'full') return [];
  return Object.values(media)
    .filter((one) => one.deviceId === deviceId && one.waits)
    .map(({ segmentId }) => segmentId);
}
