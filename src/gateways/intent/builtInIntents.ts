import { readFile } from 'node:fs/promises';
import { setImmediate as breath } from 'node:timers/promises';
import { type Intent, intents } from '../../vocabulary.ts';
import type { LinearModel } from './linearModel.ts';

export interface Classified {
  readonly intent: Intent;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** Tells what a user wants. Rejects when it cannot be asked. */
export interface IntentClassifier {
  classify(text: string, signal: AbortSignal): Promise<Classified>;
}

export const MODEL_FILE = new URL('./model.bin', import.meta.url);

/** The classifier that needs nothing but its file, which it reads when it is first asked. */
export class BuiltInIntents implements IntentClassifier {
  #loading: Promise<LinearModel> | undefined;

  /** What is not sure enough is `none`; the confidence is then that of the best guess. */
  async classify(text: string): Promise<Classified> {
    this.#loading ??= load();
    const model = await this.#loading;
    const probabilities = model.probabilities(text);
    let confidence = 0;
    for (const probability of probabilities) confidence = Math.max(confidence, probability);
    const guess = intents[probabilities.indexOf(confidence)] ?? 'none';
    return { intent: confidence < model.threshold ? 'none' : guess, confidence };
  }
}

/** With a breath between its steps: together they would hold up the main thread for longer than anything may. */
async function load(): Promise<LinearModel> {
  await import('./lexicon.ts');
  await breath();
  const { LinearModel } = await import('./linearModel.ts');
  await breath();
  const model = LinearModel.decode(await readFile(MODEL_FILE));
  await breath();
  return model;
}
