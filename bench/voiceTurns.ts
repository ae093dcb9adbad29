import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '../scripts/intents/random.ts';
import { DEFAULT_DETECTION } from '../src/application/voice/conversation.ts';
import { VoiceActivity } from '../src/gateways/voiceActivity/voiceActivity.ts';
import { percentile } from './support/measure.ts';
import { type Benchmark, limitRow, type Row, ratioRow } from './support/table.ts';
import { noise, type TurnCase, television, turnCases, withNoise } from './support/voice/turnCases.ts';
import {
  interruptionBy,
  levelsOf,
  probabilitiesOf,
  type Taken,
  turnsTaken,
} from './support/voice/turnsTaken.ts';

/*
 * When a turn is taken, on recordings and synthetic voices with pauses of 0.2 to 1.5 s laid in between two words. The words
 * are those that were spoken, 300 ms late one by one, and all of them 150 ms after a pause has begun: recognition may
 * mishear them, and that is not measured here.
 */

const SEED = 17;
const SYNTHETIC = 150;
const REPEATS = 5;
/** An end that is not noticed by then is missed. */
const MISSED_MS = 2_000;
/** Percent of the turns, in any room. */
const MOST_CUT = 35;
const MOST_MISSED = 5;
const SPEECH_ABOVE_NOISE_DB = 15;
const NOISE_SECONDS = 20;
const SPEECH_ABOVE_TELEVISION_DB = 15;
const TELEVISION_SECONDS = 60;
const LONGEST_CASE_SECONDS = 20;
const INTERRUPTION_MS = 250;
/** Who interrupts says more than a word. */
const INTERRUPTING_MS = 600;

const SESSIONS = 200;
const FRAME = 320;
const FRAME_MS = 20;
const WINDOW = 512;
const WINDOWS_A_SECOND = 31.25;
const SHIFTS = 4;
const SECONDS = 8;

export const voiceTurns: Benchmark = {
  title: 'Whose turn it is',
  needs: [
    { command: 'flite', debian: 'flite' },
    { command: 'espeak-ng', debian: 'espeak-ng' },
    { command: 'sox', debian: 'sox' },
    { command: 'pocketsphinx_continuous', debian: 'pocketsphinx' },
    { command: '/usr/share/pocketsphinx/model/en-us', debian: 'pocketsphinx-en-us' },
    { command: '/usr/share/pocketsphinx/test/data', debian: 'pocketsphinx-testdata' },
  ],
  async run() {
    const activity = new VoiceActivity();
    try {
      const clean = await turnCases({ synthetic: SYNTHETIC, repeats: REPEATS, random: randomFrom(SEED) });
      const pink = await noise(NOISE_SECONDS);
      const noisy = clean.map((one) => withNoise(one, pink, SPEECH_ABOVE_NOISE_DB));
      const random = randomFrom(SEED);
      const others = television(clean, TELEVISION_SECONDS, random);
      const latest = others.length - LONGEST_CASE_SECONDS * WINDOWS_A_SECOND * WINDOW;
      const beside = clean.map((one) =>
        withNoise(one, others.subarray(Math.floor(random() * latest)), SPEECH_ABOVE_TELEVISION_DB),
      );
      const quiet = await heardIn('in a quiet room', clean, activity);
      const loud = await heardIn('in noise (15 dB)', noisy, activity);
      const shared = await heardIn('beside a television (15 dB)', beside, activity);
      const all = [quiet, loud, shared];
      return [
        ...endRows({ where: 'in all of them', heard: all.flatMap(({ heard }) => heard) }),
        ...all.flatMap(roomRows),
        ...interruptionRows(quiet),
        ...interruptionRows(loud),
        ...(await loadRows(activity, clean[0])),
      ];
    } finally {
      await activity.stop();
    }
  },
};

interface Heard {
  readonly one: TurnCase;
  readonly probabilities: readonly number[];
  readonly levels: readonly number[];
}

interface Room {
  readonly where: string;
  readonly heard: readonly Heard[];
}

async function heardIn(where: string, cases: readonly TurnCase[], activity: VoiceActivity): Promise<Room> {
  const heard: Heard[] = [];
  for (const one of cases)
    heard.push({ one, probabilities: await probabilitiesOf(one, activity), levels: levelsOf(one) });
  return { where, heard };
}

/** The reference is voice activity and a silence, and knows of nothing else. */
function takenIn({ heard }: Room) {
  const semantic = { ...DEFAULT_DETECTION, type: 'semantic_vad' } as const;
  return {
    name: `Silero + 500 ms, ${heard.length} turns`,
    theirs: heard.map(({ one, probabilities }) => turnsTaken(one, { probabilities }, DEFAULT_DETECTION)),
    ours: heard.map(({ one, ...known }) => turnsTaken(one, known, semantic)),
  };
}

/** Who never ends a turn cuts nobody off: both count together. */
function endRows(room: Room): readonly Row[] {
  const { name, theirs, ours } = takenIn(room);
  return [
    ratioRow(
      `false cut-offs, ${room.where}`,
      { name, figure: percentOf(theirs, isCut) },
      percentOf(ours, isCut),
      { most: 1 },
      '%',
    ),
    ratioRow(
      `ends missed by 2 s, ${room.where}`,
      { name, figure: percentOf(theirs, isMissed) },
      percentOf(ours, isMissed),
      { most: 1 },
      '%',
    ),
  ];
}

function roomRows(room: Room): readonly Row[] {
  const { theirs, ours } = takenIn(room);
  const row = (what: string, unit: '%' | 'ms', most: number, figure: (all: readonly Taken[]) => number) =>
    limitRow(
      `${what}, ${room.where}`,
      figure(ours),
      most,
      unit,
      `Silero + 500 ms: ${figure(theirs).toFixed(0)} ${unit}`,
    );
  return [
    row('false cut-offs', '%', MOST_CUT, (all) => percentOf(all, isCut)),
    row('ends missed by 2 s', '%', MOST_MISSED, (all) => percentOf(all, isMissed)),
    row('end noticed, p50', 'ms', 600, (all) => endOf(all, 50)),
    row('end noticed, p90', 'ms', 1_500, (all) => endOf(all, 90)),
  ];
}

function isCut({ isCutOff }: Taken): boolean {
  return isCutOff;
}

function isMissed({ endAfterMs }: Taken): boolean {
  return (endAfterMs ?? Number.POSITIVE_INFINITY) > MISSED_MS;
}

function percentOf(all: readonly Taken[], is: (one: Taken) => boolean): number {
  return (100 * all.filter(is).length) / all.length;
}

function endOf(all: readonly Taken[], percent: number): number {
  return percentile(
    all.map(({ endAfterMs }) => endAfterMs ?? MISSED_MS),
    percent,
  );
}

function interruptionRows({ where, heard }: Room): readonly Row[] {
  const interruptions = (interruptionMs: number) =>
    heard
      .filter(({ one }) => one.firstHalfMs >= INTERRUPTING_MS)
      .map(({ one, probabilities }) => interruptionBy(one, probabilities, DEFAULT_DETECTION, interruptionMs));
  const [usual, atOnce] = [interruptions(INTERRUPTION_MS), interruptions(0)];
  const p95 = (times: readonly number[]) => percentile(times, 95);
  const lowered = p95(usual.map(({ loweredMs }) => loweredMs));
  const ended = (all: typeof usual) => p95(all.map(({ endedMs }) => endedMs));
  return [
    limitRow(`onset of speech to lowered, p95, ${where}`, lowered, 100, 'ms'),
    limitRow(`onset to interrupted (250 ms), p95, ${where}`, ended(usual), 400, 'ms'),
    limitRow(`onset to interrupted (0 ms), p95, ${where}`, ended(atOnce), 150, 'ms'),
  ];
}

/** Frames of 20 ms of many sessions, as their clients send them: not all in the same moment. */
async function loadRows(activity: VoiceActivity, speech: TurnCase | undefined): Promise<readonly Row[]> {
  if (!speech) throw new TypeError('There is no speech');
  const late: number[] = [];
  const sessions = Array.from({ length: SESSIONS }, (_, index) => {
    const sentAt: number[] = [];
    const voice = activity.open(() => late.push(performance.now() - (sentAt.shift() ?? Number.NaN)));
    return { voice, sentAt, window: new Int16Array(WINDOW), filled: (index * FRAME) % WINDOW, heard: 0 };
  });
  const frame = (session: (typeof sessions)[number]) => {
    const from = session.heard % (speech.samples.length - FRAME);
    const samples = speech.samples.subarray(from, from + FRAME);
    session.heard += FRAME;
    const fits = samples.subarray(0, WINDOW - session.filled);
    session.window.set(fits, session.filled);
    session.filled += fits.length;
    if (session.filled < WINDOW) return;
    session.sentAt.push(performance.now());
    session.voice.hear(session.window);
    session.filled = FRAME - fits.length;
    session.window.set(samples.subarray(fits.length));
  };
  const step = async (until: number) => {
    for (let turn = 0; performance.now() < until; turn++) {
      const next = performance.now() + FRAME_MS / SHIFTS;
      for (let at = turn % SHIFTS; at < SESSIONS; at += SHIFTS) frame(sessions[at] ?? never());
      await pause(Math.max(0, next - performance.now()));
    }
  };
  await step(performance.now() + 1_000);
  late.length = 0;
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await step(begun + SECONDS * 1_000);
  const { user, system } = process.cpuUsage(before);
  const cores = (user + system) / 1_000 / (performance.now() - begun);
  const windowMs = (1_000 * (user + system)) / 1_000_000 / late.length;
  for (const { voice } of sessions) voice.close();
  return [
    limitRow('200 sessions, frames of 20 ms: processor in all', cores, 1, 'cores'),
    limitRow(
      '200 sessions: processor a window of 32 ms',
      windowMs,
      0.13,
      'ms',
      'Silero, one by one: 0.13 ms',
    ),
    limitRow('200 sessions: probability known, p99', percentile(late, 99), 20, 'ms'),
  ];
}

function never(): never {
  throw new TypeError('There is no such session');
}
