import type { Clock } from '../../clock.ts';
import { hearReply, returnCall } from '../../commands/chat/afterwards.ts';
import type { SessionState } from '../../commands/chat/state.ts';
import type { Command } from '../../commands/command.ts';
import type { CommandContext } from '../../commands/runner.ts';
import { chatStream, replyHeard } from '../../events/chat.ts';
import { continueExchange } from '../../projections/chat/exchange.ts';
import type { Sessions } from './sessions.ts';
import type { UnsavedTurns } from './unsavedTurns.ts';

export interface HeardReply {
  readonly sessionId: string;
  readonly turnId: string;
  readonly characters: number;
  readonly isLast: boolean;
}

export interface ReturnedCall {
  readonly sessionId: string;
  readonly callId: string;
  readonly result: string;
}

interface AfterwardsOptions {
  readonly sessions: () => Pick<Sessions, 'journal'>;
  readonly unsaved: Pick<UnsavedTurns, 'change'>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** What is learned of a turn once it is over, or while it is spoken. */
export class Afterwards {
  readonly #options: AfterwardsOptions;

  constructor(options: AfterwardsOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async heard(whose: CommandContext, heard: HeardReply): Promise<void> {
    const { sessionId, turnId, characters, isLast } = heard;
    const stream = chatStream(whose.userId, heard);
    const data = { turnId, sessionId, conversationId: '', characters, isLast };
    const { unsaved, clock } = this.#options;
    const sessions = this.#options.sessions();
    unsaved.change(stream, turnId, (one) => continueExchange(one, { type: replyHeard.type, data }, clock()));
    await this.#note(sessions, stream, hearReply, heard, whose);
  }

  /** Never rejects. */
  async returned(whose: CommandContext, returned: ReturnedCall): Promise<void> {
    const stream = chatStream(whose.userId, { sessionId: returned.sessionId, turnId: '' });
    await this.#note(this.#options.sessions(), stream, returnCall, returned, whose);
  }

  async #note<Input>(
    sessions: Pick<Sessions, 'journal'>,
    stream: string,
    command: Command<Input, SessionState>,
    input: Input,
    whose: CommandContext,
  ): Promise<void> {
    const { onFailure, newId } = this.#options;
    const entry = { ...whose, commandId: `${command.name}:${newId()}` };
    await sessions
      .journal(stream)
      .add(command, input, entry)
      .catch((error: unknown) => onFailure(command.name, error));
  }
}
