import { endingOf, type SpeechEnding } from '../../language/goingOn.ts';
import type { TurnDetection } from './conversation.ts';

export interface WordsSoFar {
  /** Empty where nothing was understood, or nothing yet. */
  readonly text: string;
  /** They are all of them: what goes on may end with a word that is not there yet. */
  readonly isFinal: boolean;
  readonly eagerness: TurnDetection['eagerness'];
  /** They answer a question. */
  readonly asked: boolean;
  readonly language: string | undefined;
}

const medium: Readonly<Record<SpeechEnding, number>> = { finished: 300, unsure: 750, open: 1_600 };
const waits: Readonly<Record<TurnDetection['eagerness'], Readonly<Record<SpeechEnding, number>>>> = {
  low: { finished: 600, unsure: 1_200, open: 3_000 },
  medium,
  auto: medium,
  high: { finished: 200, unsure: 450, open: 1_000 },
};

/** How long a silence has to be to end a turn (`semantic_vad`). */
export function silenceThatEnds({ text, isFinal, eagerness, asked, language }: WordsSoFar): number {
  const ending = endingOf(text, { language, isAnswer: asked });
  return waits[eagerness][ending === 'finished' && !isFinal ? 'unsure' : ending];
}
