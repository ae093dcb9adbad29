import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readUtterances } from '../../../scripts/intents/corpus.ts';

/*
 * Turns with a pause in them: real recordings, cut between two words where pocketsphinx finds them, and sentences that flite
 * and espeak-ng speak in two halves. Which word ends where is known, so that words can come as late as recognition would
 * bring them.
 */

const RATE = 16_000;
const PER_MS = RATE / 1_000;
const RECORDINGS = '/usr/share/pocketsphinx/test/data';
const LEAD_MS = 600;
const TRAIL_MS = 3_500;
const SHORTEST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 1_500;
/** What is lower than the loudest by this is no speech any more. */
const SILENT_SHARE = 0.01;
/** Of the loudest, where it is heard. */
const LOUD_SHARE = 0.1;

export interface TurnCase {
  readonly samples: Int16Array;
  /** Where the words end that were said so far. */
  readonly words: readonly { readonly text: string; readonly endMs: number }[];
  readonly speechEndMs: number;
  /** Where a listener would say that speech begins. */
  readonly onsetMs: number;
  /** From the first sound to the pause. */
  readonly firstHalfMs: number;
  readonly pauseMs: number;
  readonly language: string;
}

interface Half {
  readonly samples: Int16Array;
  readonly words: readonly string[];
}

const recorded: readonly { readonly file: string; readonly text: string }[] = [
  { file: 'goforward.raw', text: 'go forward ten meters' },
  { file: 'something.raw', text: 'go somewhere and do something' },
  { file: 'cards/001.wav', text: 'ten of clubs' },
  { file: 'cards/002.wav', text: 'four queen of clubs' },
  { file: 'cards/003.wav', text: 'seven of clubs' },
  { file: 'cards/005.wav', text: 'eight of spades four of clubs seven of hearts' },
  ...[
    [
      '0870',
      'and mister john dashwood had then leisure to consider how much there might be prudently in his power to do for them',
    ],
    ['0880', 'he was not an ill disposed young man'],
    ['0890', 'unless to be rather cold hearted and rather selfish is to be ill disposed'],
    [
      '0920',
      'had he married a more amiable woman he might have been made still more respectable than he was',
    ],
    ['0930', 'he might even have been made amiable himself'],
  ].map(([number = '', text = '']) => ({
    file: `librivox/sense_and_sensibility_01_austen_64kb-${number}.wav`,
    text,
  })),
];

const elsewhere: Readonly<Record<string, readonly string[]>> = {
  de: [
    'stell bitte einen Timer auf zehn Minuten',
    'wie wird das Wetter morgen in Hamburg',
    'kannst du das Licht im Wohnzimmer ausschalten',
    'ich habe heute mit meiner Schwester in Köln telefoniert',
  ],
  fr: [
    'quel temps fera-t-il demain à Lyon',
    'allume la lumière dans la cuisine s il te plaît',
    'je voudrais réserver une table pour deux personnes',
    'hier nous avons mangé chez mes parents',
  ],
  es: [
    'pon un temporizador de cinco minutos',
    'qué tiempo hace mañana en Sevilla',
    'quiero que me recuerdes la cita con el médico',
    'ayer fui al cine con mi hermana',
  ],
  it: [
    'accendi la luce in cucina per favore',
    'che tempo fa domani a Torino',
    'vorrei sapere a che ora parte il treno',
    'ieri ho visto un film con mio fratello',
  ],
  nl: [
    'zet een wekker voor zeven uur',
    'wat voor weer wordt het morgen in Utrecht',
    'ik wil graag weten hoe laat de trein vertrekt',
    'gisteren ben ik met mijn zus naar de markt gegaan',
  ],
};

const run = promisify(execFile);

/** The same with the same seed. */
export async function turnCases({
  synthetic,
  repeats,
  random,
}: {
  readonly synthetic: number;
  readonly repeats: number;
  readonly random: () => number;
}): Promise<readonly TurnCase[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hark-turns-'));
  try {
    const cases: TurnCase[] = [];
    for (const recording of recorded) {
      const aligned = await align(folder, recording);
      for (let repeat = 0; repeat < repeats; repeat++) cases.push(cut(aligned, random));
    }
    const texts = readUtterances('challenge')
      .map(({ text }) => wordsOf(text))
      .filter(({ length }) => length >= 4 && length <= 16);
    for (let index = 0; index < synthetic; index++) {
      const words = texts[Math.floor(random() * texts.length)] ?? [];
      cases.push(
        await spoken(folder, words, voices[index % voices.length] ?? voice('flite', 'slt'), 'en', random),
      );
    }
    for (const [language, sentences] of Object.entries(elsewhere))
      for (const sentence of sentences)
        cases.push(await spoken(folder, wordsOf(sentence), voice('espeak-ng', language), language, random));
    return cases;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Pink noise, so many decibels below the speech. */
export async function noise(seconds: number): Promise<Int16Array> {
  const folder = await mkdtemp(join(tmpdir(), 'hark-noise-'));
  try {
    const file = join(folder, 'noise.raw');
    await run('sox', [
      '-R',
      '-n',
      '-r',
      String(RATE),
      '-b',
      '16',
      '-c',
      '1',
      '-e',
      'signed',
      file,
      'synth',
      String(seconds),
      'pinknoise',
    ]);
    return samplesOf(await readFile(file));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Other voices, one after the other and two at a time, without an end. */
export function television(cases: readonly TurnCase[], seconds: number, random: () => number): Int16Array {
  const voices = cases.map(({ samples }) => trimmed(samples));
  const sound = new Int16Array(seconds * RATE);
  for (let track = 0; track < 2; track++)
    for (let at = 0; at < sound.length; ) {
      const voice = voices[Math.floor(random() * voices.length)] ?? sound;
      const part = voice.subarray(0, sound.length - at);
      for (let index = 0; index < part.length; index++)
        sound[at + index] = (sound[at + index] ?? 0) + Math.trunc((part[index] ?? 0) / 2);
      at += part.length;
    }
  return sound;
}

export function withNoise(one: TurnCase, noise: Int16Array, belowDb: number): TurnCase {
  const gain = (loudness(one.samples) / loudness(noise)) * 10 ** (-belowDb / 20);
  const samples = one.samples.map((sample, index) =>
    Math.max(-32_768, Math.min(32_767, sample + gain * (noise[index % noise.length] ?? 0))),
  );
  return { ...one, samples };
}

interface Aligned {
  readonly samples: Int16Array;
  readonly words: readonly { readonly text: string; readonly startMs: number; readonly endMs: number }[];
}

/** A grammar of these words alone says where they are. */
async function align(
  folder: string,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<Aligned> {
  const path = join(RECORDINGS, file);
  const grammar = join(folder, 'words.gram');
  await writeFile(grammar, `#JSGF V1.0;\ngrammar words;\npublic <words> = ${text};\n`);
  const { stdout } = await run('pocketsphinx_continuous', [
    '-jsgf',
    grammar,
    '-infile',
    path,
    '-time',
    'yes',
    '-logfn',
    '/dev/null',
  ]);
  const words = stdout.split('\n').flatMap((line) => {
    const [word = '', start, end, confidence] = line.split(' ');
    if (Number.isNaN(Number(start)) || confidence === undefined || /^[<[+]/.test(word)) return [];
    return [
      { text: word.replace(/\(\d+\)$/, ''), startMs: 1_000 * Number(start), endMs: 1_000 * Number(end) },
    ];
  });
  if (words.map((word) => word.text).join(' ') !== text) throw new Error(`${file} is not what it should be`);
  const bytes = await readFile(path);
  return { samples: samplesOf(file.endsWith('.wav') ? bytes.subarray(44) : bytes), words };
}

function cut({ samples, words }: Aligned, random: () => number): TurnCase {
  const last = 1 + Math.floor(random() * (words.length - 1));
  const between = ((words[last - 1]?.endMs ?? 0) + (words[last]?.startMs ?? 0)) / 2;
  const pauseMs = pauseOf(random);
  const [from, to] = [words[0]?.startMs ?? 0, words.at(-1)?.endMs ?? 0];
  const at = (ms: number) => Math.round(ms * PER_MS);
  const joined = join2(
    samples.subarray(at(from), at(between)),
    samples.subarray(at(between), at(to)),
    pauseMs,
  );
  const shifted = words.map(({ text, endMs }, index) => ({
    text,
    endMs: LEAD_MS + endMs - from + (index < last ? 0 : pauseMs),
  }));
  return { ...joined, words: shifted, pauseMs, language: 'en' };
}

type Speaker = (text: string, file: string) => Promise<unknown>;

function voice(program: 'flite' | 'espeak-ng', name: string): Speaker {
  return program === 'flite'
    ? (text, file) => run('flite', ['-voice', name, '-t', text, '-o', file])
    : (text, file) => run('espeak-ng', ['-v', name, '-w', file, text]);
}

const voices: readonly Speaker[] = [
  voice('flite', 'slt'),
  voice('flite', 'rms'),
  voice('flite', 'awb'),
  voice('flite', 'kal16'),
  voice('espeak-ng', 'en-gb'),
  voice('espeak-ng', 'en-us+f3'),
];

async function spoken(
  folder: string,
  words: readonly string[],
  speak: Speaker,
  language: string,
  random: () => number,
): Promise<TurnCase> {
  const cutAt = 1 + Math.floor(random() * (words.length - 1));
  const half = async (of: readonly string[]): Promise<Half> => {
    const [wav, raw] = [join(folder, 'half.wav'), join(folder, 'half.raw')];
    await speak(of.join(' '), wav);
    await run('sox', ['-R', wav, '-r', String(RATE), '-b', '16', '-c', '1', '-e', 'signed', raw]);
    return { samples: trimmed(samplesOf(await readFile(raw))), words: of };
  };
  const one = await half(words.slice(0, cutAt));
  const other = await half(words.slice(cutAt));
  const pauseMs = pauseOf(random);
  const otherMs = LEAD_MS + one.samples.length / PER_MS + pauseMs;
  return {
    ...join2(one.samples, other.samples, pauseMs),
    words: [...byLength(one, LEAD_MS), ...byLength(other, otherMs)],
    pauseMs,
    language,
  };
}

/** Words without times of their own have them by their length. */
function byLength({ samples, words }: Half, fromMs: number): TurnCase['words'] {
  const letters = words.join('').length;
  let sum = 0;
  return words.map((text) => {
    sum += text.length;
    return { text, endMs: fromMs + ((sum / letters) * samples.length) / PER_MS };
  });
}

function pauseOf(random: () => number): number {
  return SHORTEST_PAUSE_MS + random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS);
}

function join2(
  one: Int16Array,
  other: Int16Array,
  pauseMs: number,
): Pick<TurnCase, 'samples' | 'speechEndMs' | 'onsetMs' | 'firstHalfMs'> {
  const lead = LEAD_MS * PER_MS;
  const gap = Math.round(pauseMs * PER_MS);
  const end = lead + one.length + gap + other.length;
  const samples = new Int16Array(end + TRAIL_MS * PER_MS);
  samples.set(one, lead);
  samples.set(other, lead + one.length + gap);
  const loudest = one.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const onset = lead + one.findIndex((sample) => Math.abs(sample) > LOUD_SHARE * loudest);
  return { samples, speechEndMs: end / PER_MS, onsetMs: onset / PER_MS, firstHalfMs: one.length / PER_MS };
}

function trimmed(samples: Int16Array): Int16Array {
  const bar = SILENT_SHARE * samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const isLoud = (sample: number) => Math.abs(sample) > bar;
  return samples.subarray(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1);
}

function loudness(samples: Int16Array): number {
  const spoken = samples.filter((sample) => sample !== 0);
  return Math.sqrt(spoken.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, spoken.length));
}

/** As recognition gives them: small, and without signs. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [];
}

function samplesOf(bytes: Buffer): Int16Array {
  const samples = new Int16Array(Math.floor(bytes.length / 2));
  for (let index = 0; index < samples.length; index++) samples[index] = bytes.readInt16LE(2 * index);
  return samples;
}
