import { HarkError } from '../../errors.ts';
import { type CaptureEvent, captureStream } from '../../events/capture.ts';
import { capturesState } from '../../folds/capture/captures.ts';
import { consentFor, notAllowedAt, pausedUntil, runningStreams } from '../../folds/capture/questions.ts';
import type { Captures } from '../../folds/capture/state.ts';
import { type ConsentLevel, consentLevels } from '../../vocabulary.ts';
import { type Command, defineCommand } from '../command.ts';

/** What may happen to what one user captures. */
export function defineCaptureCommand<Input>(
  command: Pick<Command<Input, Captures>, 'name' | 'decide'>,
): Command<Input, Captures> {
  const stream = (_input: Input, userId: string) => captureStream(userId);
  return defineCommand({ ...command, state: capturesState, scope: 'user', stream });
}

export interface WantedConsent {
  readonly deviceId: string;
  readonly enabled: boolean;
  /** As it was where it is not given; words only where there was none. */
  readonly level?: ConsentLevel | undefined;
  readonly jurisdiction?: string | undefined;
}

const MOST_CONSENTS = 1_000;

/** What the user allows a device to record. Without consent its streams end at once, and what is not words yet goes. */
export const setConsent = defineCaptureCommand<WantedConsent>({
  name: 'capture.setConsent',
  decide(state, { deviceId, enabled, level: wanted, jurisdiction: stated }): CaptureEvent[] {
    const before = consentFor(state, deviceId);
    const usual = before?.enabled ? before.level : 'passive';
    const level = wanted ?? (enabled ? usual : 'none');
    const jurisdiction = stated ?? before?.jurisdiction ?? '';
    const data = { deviceId, level, jurisdiction };
    if (!enabled || level === 'none') {
      if (!before?.enabled) return [];
      const dropped = notAllowedAt('none', deviceId, state);
      return [{ type: 'capture.consent.revoked', data: { ...data, dropped } }, ...stopped(state, deviceId)];
    }
    if (before?.enabled && rank(level) < rank(before.level)) {
      const dropped = notAllowedAt(level, deviceId, state);
      return [{ type: 'capture.consent.narrowed', data: { ...data, dropped } }];
    }
    if (before?.enabled && level === before.level && jurisdiction === before.jurisdiction) return [];
    if (!before && state.consents.length >= MOST_CONSENTS)
      throw new HarkError('CAPTURE_STREAMS_TOO_MANY', {
        message: `Consent is kept for ${MOST_CONSENTS} devices at most`,
      });
    return [{ type: 'capture.consent.given', data }];
  },
});

function rank(level: ConsentLevel): number {
  return consentLevels.indexOf(level);
}

function stopped(state: Captures, deviceId: string): CaptureEvent[] {
  return runningStreams(state)
    .filter((stream) => stream.deviceId === deviceId)
    .map(({ streamId }) => ({
      type: 'capture.stream.stopped',
      data: { streamId, because: 'consent-revoked' },
    }));
}

const MINUTE_MS = 60_000;

interface Pause {
  readonly minutes: number;
  readonly by: 'user' | 'device';
}

/** Nothing is captured until then. A device makes a pause no shorter. */
export const pauseCapture = defineCaptureCommand<Pause>({
  name: 'capture.pauseCapture',
  decide(state, { minutes, by }, { now }): CaptureEvent[] {
    const before = pausedUntil(state, now);
    const wanted = now + minutes * MINUTE_MS;
    const until = by === 'device' ? Math.max(wanted, before ?? 0) : wanted;
    return until === before ? [] : [{ type: 'capture.paused', data: { until, by } }];
  },
});

export const resumeCapture = defineCaptureCommand<object>({
  name: 'capture.resumeCapture',
  decide: (state, _input, { now }): CaptureEvent[] =>
    pausedUntil(state, now) === null ? [] : [{ type: 'capture.resumed', data: {} }],
});
