import { writeFileSync } from 'node:fs';
import { endingFeaturesOf, SCALE, WEIGHTS, WEIGHTS_FILE } from '../src/language/endings.ts';
import { spokenWords } from '../src/language/goingOn.ts';
import { readUtterances } from './intents/corpus.ts';
import { randomFrom } from './intents/random.ts';

/*
 * node scripts/trainEndings.ts: trains src/language/endings.bin anew on training/intents, the same byte for byte. What
 * training/challenge says of it is printed: it is not trained on.
 */

const EPOCHS = 10;
const STEP = 0.2;
const BIAS_STEP = 0.02;
const DECAY = 2e-5;
const MOST_WORDS = 20;

interface Sample {
  readonly features: readonly number[];
  readonly isEnd: boolean;
}

const trained = samplesOf('intents');
const ends = trained.filter(({ isEnd }) => isEnd).length;
/** There are more beginnings than ends, and both kinds of error count. */
const endWeight = Math.sqrt((trained.length - ends) / ends);
const weights = new Float64Array(WEIGHTS);
const squares = new Float64Array(WEIGHTS);
const random = randomFrom(17);
let bias = 0;
for (let epoch = 0; epoch < EPOCHS; epoch++) {
  for (let at = trained.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const [one, two] = [trained[at], trained[other]];
    if (one && two) [trained[at], trained[other]] = [two, one];
  }
  for (const { features, isEnd } of trained) {
    const error = (isEnd ? 1 : 0) - 1 / (1 + Math.exp(-scoreOf(features)));
    const push = error * (isEnd ? endWeight : 1);
    bias += BIAS_STEP * push;
    for (const feature of features) {
      const square = (squares[feature] ?? 0) + push * push;
      squares[feature] = square;
      const weight = weights[feature] ?? 0;
      weights[feature] = weight + (STEP * push) / Math.sqrt(1 + square) - DECAY * weight;
    }
  }
}
const unit = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / SCALE;
const file = Buffer.alloc(8 + WEIGHTS);
file.writeFloatLE(unit, 0);
file.writeFloatLE(bias, 4);
for (const [feature, weight] of weights.entries()) file.writeInt8(Math.round(weight / unit), 8 + feature);
writeFileSync(WEIGHTS_FILE, file);

const challenge = samplesOf('challenge');
for (const least of [-2, -1, 0, 0.5, 1, 1.5]) {
  const share = (isEnd: boolean) => {
    const all = challenge.filter((sample) => sample.isEnd === isEnd);
    return ((100 * all.filter(({ features }) => scoreOf(features) >= least).length) / all.length).toFixed(1);
  };
  console.log(`at least ${least}: ${share(true)} % of the ends, ${share(false)} % of the beginnings`);
}

function scoreOf(features: readonly number[]): number {
  return features.reduce((sum, feature) => sum + (weights[feature] ?? 0), bias);
}

function samplesOf(folder: 'intents' | 'challenge'): Sample[] {
  return readUtterances(folder).flatMap(({ text }) => {
    const words = spokenWords(text);
    if (words.length > MOST_WORDS) return [];
    return words.map((_, index) => ({
      features: endingFeaturesOf(words.slice(0, index + 1)),
      isEnd: index === words.length - 1,
    }));
  });
}
