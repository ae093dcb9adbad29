import { setTimeout as pause } from 'node:timers/promises';
import { randomFrom } from '../scripts/intents/random.ts';
import { DEFAULT_DETECTION, type TurnDetection } from '../src/application/voice/conversation.ts';
import { VoiceActivity } from '../src/gateways/voiceActivity/voiceActivity.ts';
import { percentile } from './support/measure.ts';
import { type Benchmark, limitRow, type Row, ratioRow } from './support/table.ts';
import { noise, type TurnCase, turnCases, withNoise } from './support/voice/turnCases.ts';
import { interruptionBy, probabilitiesOf, type Taken, turnsTaken } from './support/voice/turnsTaken.ts';

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
const SPEECH_ABOVE_NOISE_DB = 15;
const NOISE_SECONDS = 20;
const INTERRUPTION_MS = 250;
/** Who interrupts says more than a word. */
const INTERRUPTING_MS = 600;

const SESSIONS = 200;
const FRAME = 320;
const FRAME_MS = 20;
const WINDOW = 512;
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
      return [
        ...(await turnRows('in a quiet room', clean, activity)),
        ...(await turnRows('in noise (15 dB)', noisy, activity)),
        ...(await loadRows(activity, clean[0])),
      ];
    } finally {
      await activity.stop();
    }
  },
};

async function turnRows(
  where: string,
  cases: readonly TurnCase[],
  activity: VoiceActivity,
): Promise<readonly Row[]> {
  const heard: { readonly one: TurnCase; readonly probabilities: readonly number[] }[] = [];
  for (const one of cases) heard.push({ one, probabilities: await probabilitiesOf(one, activity) });
  const taken = (detection: TurnDetection) =>
    heard.map(({ one, probabilities }) => turnsTaken(one, probabilities, detection));
  const [theirs, ours] = [taken(DEFAULT_DETECTION), taken({ ...DEFAULT_DETECTION, type: 'semantic_vad' })];
  const name = `Silero + 500 ms, ${cases.length} turns`;
  const percentOf = (all: readonly Taken[], is: (one: Taken) => boolean) =>
    (100 * all.filter(is).length) / all.length;
  const isMissed = ({ endAfterMs }: Taken) => (endAfterMs ?? Number.POSITIVE_INFINITY) > MISSED_MS;
  const cut = (all: readonly Taken[]) => percentOf(all, ({ isCutOff }) => isCutOff);
  const missed = (all: readonly Taken[]) => percentOf(all, isMissed);
  const ends = (all: readonly Taken[], percent: number) =>
    percentile(
      all.map(({ endAfterMs }) => endAfterMs ?? MISSED_MS),
      percent,
    );
  const median = ends(theirs, 50);
  const interruptions = (interruptionMs: number) =>
    heard
      .filter(({ one }) => one.firstHalfMs >= INTERRUPTING_MS)
      .map(({ one, probabilities }) => interruptionBy(one, probabilities, DEFAULT_DETECTION, interruptionMs));
  const [usual, atOnce] = [interruptions(INTERRUPTION_MS), interruptions(0)];
  const lowered = percentile(
    usual.map(({ loweredMs }) => loweredMs),
    95,
  );
  const ended = (all: typeof usual) =>
    percentile(
      all.map(({ endedMs }) => endedMs),
      95,
    );
  return [
    ratioRow(`false cut-offs, ${where}`, { name, figure: cut(theirs) }, cut(ours), { most: 1 }, '%'),
    limitRow(`ends missed by 2 s, ${where}`, missed(ours), missed(theirs), '%', name),
    ratioRow(`end noticed, p50, ${where}`, { name, figure: median }, ends(ours, 50), { most: 1 }, 'ms'),
    limitRow(
      `end noticed, p90, ${where}`,
      ends(ours, 90),
      1_000,
      'ms',
      `${name}: ${ends(theirs, 90).toFixed(0)} ms`,
    ),
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
