import type { TurnDetection } from './conversation.ts';

export interface WordsSoFar {
  /** Empty where nothing was understood, or nothing yet. */
  readonly text: string;
  readonly eagerness: TurnDetection['eagerness'];
  /** What the client would wait without any words. */
  readonly silenceMs: number;
  /** They answer a question. */
  readonly asked: boolean;
  readonly language: string | undefined;
}

/** How long a silence has to be to end a turn. */
export function silenceThatEnds({ silenceMs }: WordsSoFar): number {
  return silenceMs;
}
