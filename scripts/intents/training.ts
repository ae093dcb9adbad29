import { featuresOf } from '../../src/gateways/intent/features.ts';
import {
  Entries,
  findEntries,
  idfByte,
  type LinearModel,
  type ModelParts,
  softmax,
} from '../../src/gateways/intent/linearModel.ts';
import { intents } from '../../src/vocabulary.ts';
import { TEMPERATURE, THRESHOLD } from './calibration.ts';
import type { Utterance } from './corpus.ts';
import { randomFrom, shuffled } from './random.ts';

const SEED = 20_261;
const EPOCHS = 20;
const STEP = 0.1;
const DECAY = 2e-5;
/** Of the features of a text so many are hidden in each round: no word alone may decide. */
const HIDDEN = 0.3;
/** What a right answer gives up to the others: nobody is ever sure. */
const SMOOTHING = 0.02;
const MOST_FEATURES = 17_000;

interface Sample {
  readonly rows: Uint32Array;
  readonly values: Float64Array;
  readonly label: number;
  readonly weight: number;
}

interface Vocabulary {
  readonly hashes: Uint32Array;
  readonly idf: Uint8Array;
}

interface Weights {
  readonly rows: Float64Array;
  readonly bias: Float64Array;
}

const CLASSES = intents.length;

/** The same model, byte for byte, from the same utterances. */
export function train(utterances: readonly Utterance[]): ModelParts {
  const all = vocabularyOf(utterances, undefined);
  const first = descend(samplesOf(utterances, all), all.hashes.length);
  const kept = strongest(all.hashes, first);
  const vocabulary = vocabularyOf(utterances, kept);
  return quantised(vocabulary, descend(samplesOf(utterances, vocabulary), vocabulary.hashes.length));
}

/** Features that only one text has are what new texts have: unknown. */
function vocabularyOf(utterances: readonly Utterance[], kept: ReadonlySet<number> | undefined): Vocabulary {
  const having = new Map<number, number>();
  for (const { text } of utterances)
    for (const group of featuresOf(text))
      for (let at = 0; at < group.size; at++) {
        const hash = group.featureAt(at);
        having.set(hash, (having.get(hash) ?? 0) + 1);
      }
  const chosen = [...having].filter(([hash, texts]) => texts > 1 && (!kept || kept.has(hash)));
  chosen.sort(([one], [other]) => one - other);
  return {
    hashes: Uint32Array.from(chosen, ([hash]) => hash),
    idf: Uint8Array.from(chosen, ([, texts]) => idfByte(utterances.length, texts)),
  };
}

function strongest(hashes: Uint32Array, { rows }: Weights): ReadonlySet<number> {
  const strength = [...hashes].map((hash, row) => {
    const own = rows.subarray(row * CLASSES, (row + 1) * CLASSES);
    return { hash, most: Math.max(...own) - Math.min(...own) };
  });
  strength.sort((one, other) => other.most - one.most || one.hash - other.hash);
  return new Set(strength.slice(0, MOST_FEATURES).map(({ hash }) => hash));
}

function samplesOf(utterances: readonly Utterance[], { hashes, idf }: Vocabulary): readonly Sample[] {
  const rows = new Map(Array.from(hashes, (hash, row) => [hash, row]));
  const sizes = intents.map((intent) => utterances.filter((one) => one.intent === intent).length);
  const mean = utterances.length / CLASSES;
  const entries = new Entries();
  return utterances.flatMap(({ text, intent }) => {
    const label = intents.indexOf(intent);
    const weight = Math.sqrt(mean / (sizes[label] ?? mean));
    return variantsOf({ text, intent }).map((variant, at) => {
      findEntries(featuresOf(variant), { rowOf: (hash) => rows.get(hash) ?? -1, idf }, entries);
      return {
        rows: Uint32Array.from(entries.rows.slice(0, entries.size)),
        values: Float64Array.from(entries.values.slice(0, entries.size)),
        label,
        weight: at === 0 ? weight : weight * 0.5,
      };
    });
  });
}

const OPENINGS = [
  'hey ',
  'hey hark ',
  'please ',
  'can you ',
  'could you please ',
  'ok so ',
  'i want you to ',
  'hi, ',
  'i need you to ',
  'would you ',
  'quick one: ',
  'so ',
];
const ENDINGS = [' please', ' thanks', ' for me', ' please?', ' now', '.', '?', ' pls', ' if you can', ''];

/** As it is, and as somebody else might put it: how one is addressed says nothing of what is wanted. */
function variantsOf({ text, intent }: Utterance): readonly string[] {
  if (intent === 'none' || intent === 'conversation') return [text];
  const random = randomFrom([...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, SEED));
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? '';
  return [text, `${pick(OPENINGS)}${text.replace(/[.?!]+$/, '')}${pick(ENDINGS)}`];
}

/** Stochastic descent with a step of its own for each weight (AdaGrad); the mean of the later half of its way. */
function descend(samples: readonly Sample[], features: number): Weights {
  const random = randomFrom(SEED);
  const rows = new Float64Array(features * CLASSES);
  const bias = new Float64Array(CLASSES);
  const seen = new Float64Array(features * CLASSES).fill(1e-2);
  const mean = { rows: new Float64Array(rows.length), bias: new Float64Array(CLASSES) };
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const sample of shuffled(samples, random)) step(sample, rows, bias, seen, random);
    if (epoch < EPOCHS / 2) continue;
    const share = 1 / Math.floor(EPOCHS / 2);
    for (let at = 0; at < rows.length; at++) mean.rows[at] = (mean.rows[at] ?? 0) + share * (rows[at] ?? 0);
    for (let at = 0; at < CLASSES; at++) mean.bias[at] = (mean.bias[at] ?? 0) + share * (bias[at] ?? 0);
  }
  return mean;
}

function step(
  { rows, values, label, weight }: Sample,
  weights: Float64Array,
  bias: Float64Array,
  seen: Float64Array,
  random: () => number,
): void {
  const shown = Array.from(values, (value) => (random() < HIDDEN ? 0 : value / (1 - HIDDEN)));
  const scores = Float64Array.from(bias);
  for (const [at, value] of shown.entries()) {
    if (value === 0) continue;
    const start = (rows[at] ?? 0) * CLASSES;
    for (let column = 0; column < CLASSES; column++)
      scores[column] = (scores[column] ?? 0) + value * (weights[start + column] ?? 0);
  }
  const errors = softmax(scores).map((probability, column) => {
    const wanted = SMOOTHING / CLASSES + (column === label ? 1 - SMOOTHING : 0);
    return weight * (probability - wanted);
  });
  for (const [at, value] of shown.entries()) {
    if (value === 0) continue;
    const start = (rows[at] ?? 0) * CLASSES;
    for (let column = 0; column < CLASSES; column++) {
      const place = start + column;
      const gradient = value * (errors[column] ?? 0) + DECAY * (weights[place] ?? 0);
      seen[place] = (seen[place] ?? 0) + gradient * gradient;
      weights[place] = (weights[place] ?? 0) - (STEP * gradient) / Math.sqrt(seen[place] ?? 1);
    }
  }
  for (let column = 0; column < CLASSES; column++)
    bias[column] = (bias[column] ?? 0) - 0.01 * (errors[column] ?? 0);
}

function quantised({ hashes, idf }: Vocabulary, { rows, bias }: Weights): ModelParts {
  const most = rows.reduce((so, weight) => Math.max(so, Math.abs(weight)), 0);
  const scale = Math.fround(most / 127);
  const weights = Int8Array.from(rows, (weight) => Math.round(weight / scale));
  return {
    classes: CLASSES,
    hashes,
    idf,
    weights,
    bias: Float32Array.from(bias),
    scale,
    temperature: TEMPERATURE,
    threshold: THRESHOLD,
  };
}

/** What trained models say of texts that they do not know. */
export interface Judged extends Utterance {
  readonly probabilities: Float64Array;
}

export function judge(model: LinearModel, utterances: readonly Utterance[]): readonly Judged[] {
  return utterances.map((one) => ({ ...one, probabilities: model.probabilities(one.text).slice() }));
}
