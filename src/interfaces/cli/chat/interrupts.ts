import { constants } from 'node:os';
import { CliFailure } from '../failure.ts';
import type { FollowedTurn, TurnMessage } from './followedTurn.ts';

/** As shells name the end by Ctrl-C. */
export const INTERRUPTED = 128 + constants.signals.SIGINT;

/** The turn's signals; Ctrl-C cancels the turn, and once more ends the process, whatever the service does. */
export async function* interruptible(turn: FollowedTurn): AsyncGenerator<TurnMessage> {
  const interrupt = () => {
    if (turn.isUnwanted) process.exit(INTERRUPTED);
    // Who is not heard can still be interrupted again.
    turn.cancel().catch(() => undefined);
  };
  process.on('SIGINT', interrupt);
  try {
    for await (const signal of turn.signals()) {
      if (turn.isUnwanted && signal.type === 'error') throw new CliFailure('Cancelled', INTERRUPTED);
      yield signal;
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
}
