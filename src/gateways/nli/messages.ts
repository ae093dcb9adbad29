import type { ModelPart, NliLabel } from './models.ts';

export interface SentencePair {
  readonly one: string;
  readonly other: string;
}

/** Probabilities that add up to 1. */
export type Probabilities = Readonly<Record<NliLabel, number>>;

/** What a model makes of two sentences, each held against the other. */
export interface PairVerdict {
  /** Of the direction that speaks more for a contradiction. */
  readonly probabilities: Probabilities;
  readonly label: NliLabel;
}

/** What keeps a model from being used, without any path or text. */
export type Refusal =
  | { readonly because: 'checksum' | 'unreadable' | 'labels'; readonly part: ModelPart }
  | { readonly because: 'inputs' | 'outputs' | 'runtime' };

export type NliRequest =
  | { readonly kind: 'judge'; readonly id: number; readonly pairs: readonly SentencePair[] }
  | { readonly kind: 'end' };

export type NliReply =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'judged'; readonly id: number; readonly verdicts: readonly PairVerdict[] }
  | { readonly kind: 'failed'; readonly id: number; readonly error: string };

/** What it has to be, if it is to be opened. */
interface PinnedFile {
  readonly file: string;
  readonly digest: string;
}

/** What a thread is started with. */
export interface NliThreadData {
  readonly model: PinnedFile;
  readonly tokenizer: PinnedFile;
  readonly config: PinnedFile | { readonly labels: readonly NliLabel[] };
  readonly threads: number;
}
