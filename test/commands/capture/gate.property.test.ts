import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe, test } from 'vitest';
import { pauseCapture, resumeCapture, setConsent } from '../../../src/commands/capture/consent.ts';
import { type CaptureGate, captureGate } from '../../../src/commands/capture/gate.ts';
import {
  dropMedia,
  gatedCommands,
  stopStream,
  transcribeMedia,
} from '../../../src/commands/capture/streams.ts';
import { forgetRecent, gatherWords, settleWords } from '../../../src/commands/capture/words.ts';
import type { Command } from '../../../src/commands/command.ts';
import { isHarkError } from '../../../src/errors.ts';
import { type CaptureEvent, readCaptureEvent } from '../../../src/events/capture.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { capturesState } from '../../../src/folds/capture/captures.ts';
import {
  type ConsentLevel,
  captureModalities,
  captureModes,
  consentLevels,
} from '../../../src/vocabulary.ts';
import { NOW } from '../../support/given.ts';

/*
 * Any history of consents, streams, pauses, revocations and crashes: what is kept is what the level in force at that
 * moment allowed. What is right is reckoned here anew, from the events alone and without the gate.
 */

const MINUTE = 60_000;
const numRuns = Number(process.env.PROPERTY_RUNS ?? 300);

const device = fc.constantFrom('kitchen', 'hall');
const level = fc.constantFrom(...consentLevels);
/** Of the streams that were started, one; or none that ever was. */
const stream = fc.nat(4);
const step = fc.oneof(
  fc.record({ is: fc.constant('consent'), device, level, enabled: fc.boolean() }),
  fc.record({ is: fc.constant('consent'), device, level, enabled: fc.constant(true) }),
  fc.record({ is: fc.constant('pause'), minutes: fc.integer({ min: 1, max: 5 }), byDevice: fc.boolean() }),
  fc.record({ is: fc.constant('resume') }),
  fc.record({
    is: fc.constant('start'),
    device,
    mode: fc.constantFrom(...captureModes),
    byDevice: fc.boolean(),
  }),
  fc.record({ is: fc.constant('stop'), stream }),
  fc.record({ is: fc.constant('words'), stream }),
  fc.record({ is: fc.constant('media'), stream, modality: fc.constantFrom(...captureModalities) }),
  fc.record({ is: fc.constant('heard'), segment: fc.nat(6), silent: fc.boolean() }),
  fc.record({ is: fc.constant('late'), segment: fc.nat(6) }),
  fc.record({ is: fc.constant('settle'), batch: fc.nat(3) }),
  fc.record({ is: fc.constant('forget'), minutes: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ is: fc.constant('time'), ms: fc.constantFrom(1_000, 20_000, 59_999, 60_000, 3 * MINUTE) }),
  /** What is in memory is gone, and read from the log again. */
  fc.record({ is: fc.constant('crash') }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

interface Written {
  readonly event: CaptureEvent;
  readonly at: number;
}

/** Plays a history against the commands, and gives the log that comes of it. */
function play(steps: readonly unknown[], gate: CaptureGate): readonly Written[] {
  const { startStream, takeSegment } = gatedCommands(gate);
  const log: (NewEvent & { readonly at: number })[] = [];
  let state = capturesState.initial;
  let now = NOW;
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const run = <Input>(command: Command<Input, typeof state>, input: Input) => {
    try {
      const events = command.decide(state, input, { now, newId });
      for (const event of events) {
        // As the log has it: nothing of what was decided on is shared with it.
        const past = { ...structuredClone(event), at: now };
        log.push(past);
        state = capturesState.evolve(state, past);
      }
    } catch (error) {
      assert.ok(isHarkError(error), `${error}`);
    }
  };
  const nth = (ids: readonly string[], index: number) => ids[index % Math.max(1, ids.length)] ?? 'none';
  for (const one of steps as readonly Step[]) {
    now++;
    switch (one.is) {
      case 'consent':
        run(setConsent, { deviceId: one.device, enabled: one.enabled, level: one.level });
        break;
      case 'pause':
        run(pauseCapture, { minutes: one.minutes, by: one.byDevice ? 'device' : 'user' });
        break;
      case 'resume':
        run(resumeCapture, {});
        break;
      case 'start': {
        const by = one.byDevice ? ('device' as const) : ('user' as const);
        const starting = { deviceId: one.device, mode: one.mode, by };
        run(startStream, { ...starting, streamId: newId(), userId: 'u', modalities: captureModalities });
        break;
      }
      case 'stop':
        run(stopStream, { streamId: nth(Object.keys(state.streams), one.stream), because: 'asked' });
        break;
      case 'words':
      case 'media': {
        const facts = { segmentId: newId(), speaker: 'user', startedAt: now, durationMs: 0, bytes: 1 };
        const content =
          one.is === 'words'
            ? {
                is: 'words' as const,
                text: 'said',
                masked: { secrets: 0, cards: 0, ids: 0 },
                described: false,
              }
            : { is: 'media' as const, mimeType: 'audio/wav', keeps: false, until: now + MINUTE };
        const streamId = nth(Object.keys(state.streams), one.stream);
        const modality = one.is === 'media' ? one.modality : 'audio';
        run(takeSegment, { ...facts, streamId, modality, arrivedAt: now, content });
        break;
      }
      case 'heard': {
        const masked = { secrets: 0, cards: 0, ids: 0 };
        const text = one.silent ? '' : 'heard';
        run(transcribeMedia, {
          segmentId: nth(Object.keys(state.media), one.segment),
          text,
          masked,
          described: false,
        });
        break;
      }
      case 'late':
        run(dropMedia, { segmentIds: [nth(Object.keys(state.media), one.segment)], because: 'not-in-time' });
        break;
      case 'settle': {
        const episodeId = nth(
          state.batches.map((batch) => batch.episodeId),
          one.batch,
        );
        run(gatherWords, { episodeId });
        run(settleWords, { episodeId, as: 'episode' });
        break;
      }
      case 'forget':
        run(forgetRecent, { forgetId: newId(), since: now - one.minutes * MINUTE });
        break;
      case 'time':
        now += one.ms;
        break;
      case 'crash': {
        const again = log.reduce((known, past) => capturesState.evolve(known, past), capturesState.initial);
        assert.deepEqual(again, state);
        state = again;
      }
    }
  }
  return log.flatMap(({ at, ...past }) => {
    const event = readCaptureEvent(past);
    return event ? [{ event, at }] : [];
  });
}

/** What was kept although nothing allowed it, in words; undefined where there is nothing of it. */
function violation(log: readonly Written[]): string | undefined {
  const levels = new Map<string, ConsentLevel>();
  const streams = new Map<string, { device: string; lastSign: number; stopped: boolean }>();
  const media = new Map<string, string>();
  let pausedUntil = 0;
  for (const { event, at } of log) {
    switch (event.type) {
      case 'capture.consent.given':
      case 'capture.consent.narrowed':
        levels.set(event.data.deviceId, event.data.level);
        break;
      case 'capture.consent.revoked':
        levels.delete(event.data.deviceId);
        break;
      case 'capture.paused':
        pausedUntil = event.data.until;
        break;
      case 'capture.resumed':
        pausedUntil = at;
        break;
      case 'capture.stream.started': {
        const { deviceId, level: said, by, mode, streamId } = event.data;
        const allowed = levels.get(deviceId) ?? 'none';
        if (allowed === 'none') return `a stream without consent at ${at}`;
        if (allowed !== said) return `a stream of another level at ${at}`;
        if (at < pausedUntil) return `a stream in a pause at ${at}`;
        if (by === 'device' && allowed !== 'full' && mode !== 'active-participant')
          return `a device began to listen by itself at ${at}`;
        streams.set(streamId, { device: deviceId, lastSign: at, stopped: false });
        break;
      }
      case 'capture.stream.stopped': {
        const stream = streams.get(event.data.streamId);
        if (stream) stream.stopped = true;
        break;
      }
      case 'capture.segment.kept':
      case 'capture.segment.sealed': {
        if (event.type === 'capture.segment.kept' && event.data.keptAt !== undefined) break;
        const stream = streams.get(event.data.streamId);
        if (!stream || stream.stopped) return `something by no stream at ${at}`;
        if (at >= Math.max(stream.lastSign, Math.min(pausedUntil, at)) + MINUTE)
          return `after a silence at ${at}`;
        if (at < pausedUntil) return `something in a pause at ${at}`;
        const allowed = levels.get(stream.device) ?? 'none';
        if (allowed === 'none') return `something without consent at ${at}`;
        const isMedia = event.type === 'capture.segment.sealed';
        if (isMedia && allowed === 'passive') return `media where words only are allowed at ${at}`;
        if (isMedia) media.set(event.data.segmentId, stream.device);
        stream.lastSign = at;
        break;
      }
      case 'capture.segment.transcribed':
      case 'capture.segment.dropped': {
        const { segmentId, streamId } = event.data;
        const stream = streams.get(streamId);
        if (event.type === 'capture.segment.transcribed' && !media.has(segmentId))
          return `words of media that were not there at ${at}`;
        if (!media.delete(segmentId) && stream) stream.lastSign = at;
        break;
      }
      case 'capture.forgotten':
        for (const id of event.data.segmentIds) media.delete(id);
        break;
      default:
    }
    // What is not words yet goes with the consent, in the same moment.
    if (event.type === 'capture.consent.narrowed' || event.type === 'capture.consent.revoked') {
      for (const id of event.data.dropped) media.delete(id);
      const isForbidden = event.type === 'capture.consent.revoked' || event.data.level === 'passive';
      if (isForbidden && [...media.values()].includes(event.data.deviceId))
        return `media that wait without consent at ${at}`;
    }
  }
  return undefined;
}

describe('whatever happened', () => {
  it.prop([fc.array(step, { maxLength: 60 })], { numRuns })(
    'what is kept is what the level in force at that moment allowed',
    (steps) => {
      assert.equal(violation(play(steps, captureGate)), undefined);
    },
  );

  it.prop([fc.array(step, { maxLength: 60 }), fc.nat()], { numRuns })(
    'no stream is without consent after a crash, wherever it cuts the log off',
    (steps, cut) => {
      const log = play(steps, captureGate);
      assert.equal(violation(log.slice(0, cut % (log.length + 1))), undefined);
    },
  );

  it.prop([fc.array(step, { maxLength: 60 })], { numRuns })(
    'a stream that is over never goes on, and without consent none is left',
    (steps) => {
      const log = play(steps, captureGate);
      const open = new Map<string, string>();
      const consented = new Set<string>();
      for (const { event } of log) {
        if (event.type === 'capture.consent.given') consented.add(event.data.deviceId);
        if (event.type === 'capture.consent.revoked') consented.delete(event.data.deviceId);
        if (event.type === 'capture.stream.started') open.set(event.data.streamId, event.data.deviceId);
        if (event.type === 'capture.stream.stopped') assert.ok(open.delete(event.data.streamId));
      }
      assert.ok([...open.values()].every((deviceId) => consented.has(deviceId)));
    },
  );
});

describe('the gate', () => {
  const open: CaptureGate = {
    mayStart: ({ consents }) =>
      consents[0] ?? { deviceId: '', enabled: true, level: 'full', jurisdiction: '', givenAt: 0, version: 0 },
    mayTake: (state, streamId) => state.streams[streamId] ?? assert.fail('no stream'),
  };

  test('is the only way to a stream: without it, streams begin that nobody consented to', () => {
    const start = { is: 'start', device: 'kitchen', mode: 'ambient', byDevice: true };
    assert.equal(violation(play([start], captureGate)), undefined);
    assert.match(violation(play([start], open)) ?? '', /without consent/);
  });

  test('is the only way to what is kept: without it, a stream that has stopped goes on', () => {
    const steps = [
      { is: 'consent', device: 'kitchen', level: 'full', enabled: true },
      { is: 'start', device: 'kitchen', mode: 'ambient', byDevice: false },
      { is: 'stop', stream: 0 },
      { is: 'words', stream: 0 },
    ];
    assert.equal(violation(play(steps, captureGate)), undefined);
    assert.match(violation(play(steps, open)) ?? '', /by no stream/);
  });

  test('would be missed by the property', () => {
    const found = fc.check(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        try {
          return violation(play(steps, open)) === undefined;
        } catch {
          return true;
        }
      }),
      { numRuns: 500 },
    );
    assert.equal(found.failed, true);
  });
});
