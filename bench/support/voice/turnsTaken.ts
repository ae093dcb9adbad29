import type { TurnDetection } from '../../../src/application/voice/conversation.ts';
import { levelOf } from '../../../src/application/voice/heardSamples.ts';
import { next } from '../../../src/application/voice/turnTaking.ts';
import { beginTurnTaking, type TurnTakingInput } from '../../../src/application/voice/turnTakingState.ts';
import type { VoiceActivity } from '../../../src/gateways/voiceActivity/voiceActivity.ts';
import type { TurnCase } from './turnCases.ts';

const WINDOW = 512;
const WINDOW_MS = 32;
/** A word is understood so long after it was said, and all of them so long after a pause has begun. */
const WORD_LATE_MS = 300;
const ALL_LATE_MS = 150;

export interface Taken {
  /** A turn was taken before the speech was over. */
  readonly isCutOff: boolean;
  /** From the end of speech; undefined where it never was. */
  readonly endAfterMs: number | undefined;
}

export function probabilitiesOf({ samples }: TurnCase, activity: VoiceActivity): Promise<readonly number[]> {
  const count = Math.floor(samples.length / WINDOW);
  const found: number[] = [];
  const { promise, resolve } = Promise.withResolvers<readonly number[]>();
  const voice = activity.open((probability) => {
    if (found.push(probability) < count) return;
    voice.close();
    resolve(found);
  });
  for (let at = 0; at < count; at++) voice.hear(samples.subarray(at * WINDOW, (at + 1) * WINDOW));
  return promise;
}

/** From where speech begins, in what was heard: the way there and back comes on top. */
export function interruptionBy(
  { onsetMs }: TurnCase,
  probabilities: readonly number[],
  detection: TurnDetection,
  interruptionMs: number,
): { readonly loweredMs: number; readonly endedMs: number } {
  const begun = beginTurnTaking({ detection, interruptionMs, halfDuplex: false });
  let { state } = next(begun, { type: 'doing', doing: 'speaking' });
  let loweredMs = Number.NaN;
  for (const [index, probability] of probabilities.entries()) {
    const atMs = (index + 1) * WINDOW_MS;
    const step = next(state, { type: 'window', probability, atMs });
    state = step.state;
    for (const { type } of step.out) {
      if (type === 'lower' && Number.isNaN(loweredMs)) loweredMs = atMs - onsetMs;
      if (type === 'interrupt') return { loweredMs, endedMs: atMs - onsetMs };
    }
  }
  return { loweredMs, endedMs: Number.NaN };
}

/** How loud each window is. */
export function levelsOf({ samples }: TurnCase): readonly number[] {
  return Array.from({ length: Math.floor(samples.length / WINDOW) }, (_, at) =>
    levelOf(samples.subarray(at * WINDOW, (at + 1) * WINDOW)),
  );
}

/** Without levels, by voice activity alone. */
export function turnsTaken(
  { words, speechEndMs, language }: TurnCase,
  {
    probabilities,
    levels,
  }: { readonly probabilities: readonly number[]; readonly levels?: readonly number[] },
  detection: TurnDetection,
): Taken {
  let state = beginTurnTaking({ detection, interruptionMs: 250, halfDuplex: false, language });
  let fromMs = 0;
  let final: { readonly dueMs: number; readonly untilMs: number } | undefined;
  let known = 0;
  let hasAll = false;
  let isCutOff = false;
  let endAfterMs: number | undefined;
  const between = (untilMs: number) =>
    words
      .filter(({ endMs }) => endMs > fromMs && endMs <= untilMs)
      .map(({ text }) => text)
      .join(' ');
  const put = (input: TurnTakingInput, nowMs: number) => {
    const step = next(state, input);
    state = step.state;
    for (const output of step.out) {
      if (output.type === 'listen') [fromMs, known, final, hasAll] = [output.fromMs, 0, undefined, false];
      else if (output.type === 'pause') final = { dueMs: nowMs + ALL_LATE_MS, untilMs: nowMs };
      else if (output.type === 'resumed') [final, hasAll] = [undefined, false];
      else if (output.type === 'utterance' && nowMs < speechEndMs) isCutOff = true;
      else if (output.type === 'utterance') endAfterMs ??= nowMs - speechEndMs;
    }
  };
  for (const [index, probability] of probabilities.entries()) {
    const atMs = (index + 1) * WINDOW_MS;
    put({ type: 'window', probability, atMs, level: levels?.[index] }, atMs);
    if (final && atMs >= final.dueMs) {
      put({ type: 'words', text: between(final.untilMs), isFinal: true }, atMs);
      [final, hasAll] = [undefined, true];
    } else if (!final && !hasAll) {
      const heard = words.filter(({ endMs }) => endMs + WORD_LATE_MS <= atMs).length;
      if (heard > known) put({ type: 'words', text: between(atMs - WORD_LATE_MS) }, atMs);
      known = heard;
    }
  }
  return { isCutOff, endAfterMs };
}
