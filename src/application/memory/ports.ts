import type { NewEpisode } from '../../commands/memory/episodes.ts';
import type { Finding } from '../../commands/memory/findings.ts';
import type { SlotName } from '../../vocabulary.ts';
import type { SpokenWords } from './words.ts';

/** What a conversation came to, as far as it could be understood. */
export interface Understanding
  extends Pick<NewEpisode, 'summary' | 'topic' | 'keywords' | 'importance' | 'reasons' | 'by'> {
  /** Not worth an episode. */
  readonly trivial: boolean;
  readonly findings: readonly Finding[];
  /** What the last answer is worth by itself, when there is one. */
  readonly answer: Pick<NewEpisode, 'importance' | 'reasons'> | null;
}

/** Makes sense of what was said: with a model where there is one, and by itself where there is none. */
export type Understand = (
  words: readonly SpokenWords[],
  asking: {
    readonly userId: string;
    readonly correlationId: string;
    readonly signal: AbortSignal;
    /** Rather fails when a model that is set for it is away than does without. */
    readonly needsModel?: boolean;
  },
) => Promise<Understanding>;

/** Whether work in the background may ask the models of these slots now, and if not, why. */
export interface BackgroundGuard {
  mayWork(
    slots: readonly SlotName[],
  ): Promise<{ readonly safe: true } | { readonly safe: false; readonly reason: string }>;
}
