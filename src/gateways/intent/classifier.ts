import type { Intent } from '../../vocabulary.ts';

export interface Classified {
  readonly intent: Intent;
  /** From 0 to 1. */
  readonly confidence: number;
}

/** Tells what a user wants. Rejects when it cannot be asked. */
export interface IntentClassifier {
  classify(text: string, signal: AbortSignal): Promise<Classified>;
}
