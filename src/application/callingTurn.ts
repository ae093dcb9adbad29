import type { Exchange } from '../projections/chat/exchange.ts';
import type { Position } from '../store/port.ts';

/** The turn in which a model calls a tool. */
export interface CallingTurn {
  readonly turnId: string;
  /** With which all that is said in it is forgotten. */
  readonly conversationId: string;
  /** Where its message is in the log; not there where the log was away then. */
  readonly receivedAt?: Position | undefined;
  /** What the user says in it; null where its words are not theirs. */
  readonly said: string | null;
  /** What was said before in the session, oldest first. */
  readonly earlier: () => readonly Exchange[];
}
