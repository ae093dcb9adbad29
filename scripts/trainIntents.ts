import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MODEL_FILE } from '../src/gateways/intent/builtInIntents.ts';
import { encodeParts, LinearModel } from '../src/gateways/intent/linearModel.ts';
import { THRESHOLD } from './intents/calibration.ts';
import { readUtterances, splitParts } from './intents/corpus.ts';
import {
  accuracyOf,
  confusionTable,
  guessesOf,
  percent,
  qualityTable,
  surpriseAt,
  thresholdTable,
} from './intents/report.ts';
import { type Judged, judge, train } from './intents/training.ts';

/*
 * node scripts/trainIntents.ts            trains on training/intents and writes the model
 *                              --check    fails when the model that is shipped is not the one that comes of it
 *                              --measure  cross-validation, and the shipped model on what it was never shown
 *                              --errors   with --measure: every wrong guess
 */

const PARTS = 5;

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, measure: { type: 'boolean' }, errors: { type: 'boolean' } },
});
const utterances = readUtterances('intents');

if (values.measure) {
  tell('Cross-validation, each fifth by a model of the others', crossValidated());
  const shipped = LinearModel.decode(readFileSync(MODEL_FILE));
  for (const folder of ['challenge', 'second'] as const)
    tell(`training/${folder}, by the model that is shipped`, judge(shipped, readUtterances(folder)));
} else {
  const bytes = encodeParts(train(utterances));
  if (!values.check) writeFileSync(MODEL_FILE, bytes);
  else if (!readFileSync(MODEL_FILE).equals(bytes)) {
    console.error('model.bin is not what the utterances make: run node scripts/trainIntents.ts');
    process.exitCode = 1;
  }
  console.log(`${utterances.length} utterances, ${Math.round(bytes.length / 1024)} KiB`);
}

function crossValidated(): readonly Judged[] {
  const parts = splitParts(utterances, PARTS);
  return Array.from({ length: PARTS }, (_, held) => {
    const model = new LinearModel(train(utterances.filter((_one, at) => parts[at] !== held)));
    return judge(
      model,
      utterances.filter((_one, at) => parts[at] === held),
    );
  }).flat();
}

function tell(title: string, judged: readonly Judged[]): void {
  const guesses = guessesOf(judged, THRESHOLD);
  const wrong = guesses.filter(({ wanted, guessed }) => wanted !== guessed);
  console.log(`\n## ${title}\n\n${judged.length} texts, ${percent(accuracyOf(guesses))} right\n`);
  console.log(`${qualityTable(guesses)}\n\n${confusionTable(guesses)}\n\n${thresholdTable(judged)}\n`);
  const surprises = [0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25].map(
    (temperature) => `${temperature}: ${surpriseAt(judged, temperature).toFixed(3)}`,
  );
  console.log(`Surprise by temperature: ${surprises.join(', ')}`);
  if (!values.errors) return;
  for (const { text, wanted, guessed, confidence } of wrong)
    console.log(`${wanted} → ${guessed} ${confidence.toFixed(2)}: ${text}`);
}
