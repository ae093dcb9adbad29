import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { consentFor, isRunning, pausedUntil, silentFrom } from '../../folds/capture/questions.ts';
import type { Captures, CapturingStream, Consent } from '../../folds/capture/state.ts';
import type { CaptureMode } from '../../vocabulary.ts';

export interface Starting {
  readonly deviceId: string;
  readonly mode: CaptureMode;
  readonly by: 'user' | 'device';
}

/**
 * The only way to a stream, and by a stream to what is kept: each decision that begins one or takes something asks it,
 * on the state on which it is appended. Whatever is not allowed at that moment is refused, and leaves nothing behind.
 */
export interface CaptureGate {
  /** The consent on which the stream stands. */
  mayStart(state: Captures, starting: Starting, now: number): Consent;
  /** The stream by which it comes. */
  mayTake(state: Captures, streamId: string, now: number): CapturingStream;
}

export const captureGate: CaptureGate = {
  mayStart(state, { deviceId, mode, by }, now) {
    const consent = consentFor(state, deviceId);
    if (!consent?.enabled || consent.level === 'none')
      throw new HarkError('CONSENT_MISSING', { body: { deviceId } });
    if (by === 'device' && consent.level !== 'full' && mode !== 'active-participant')
      throw new HarkError('DEVICE_SCOPE', {
        message: 'At this level a device by itself may only start active-participant streams',
      });
    refusePaused(state, now);
    return consent;
  },

  mayTake(state, streamId, now) {
    const stream = entryOf(state.streams, streamId);
    if (!stream) throw new HarkError('CAPTURE_STREAM_UNKNOWN', { body: { streamId } });
    if (!isRunning(stream) || silentFrom(state, stream) <= now)
      throw new HarkError('CAPTURE_STREAM_STOPPED', { body: { streamId } });
    refusePaused(state, now);
    if (!consentFor(state, stream.deviceId)?.enabled)
      throw new HarkError('CONSENT_MISSING', { body: { deviceId: stream.deviceId } });
    return stream;
  },
};

function refusePaused(state: Captures, now: number): void {
  const until = pausedUntil(state, now);
  if (until !== null) throw new HarkError('CAPTURE_PAUSED', { body: { pausedUntil: until } });
}
