import type { Exchange } from '../../projections/chat/exchange.ts';
import type { ImageType, TurnOrigin } from '../../vocabulary.ts';

/* The turns of chat, as far as a conversation by voice needs them. */

interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface AskedTurn {
  readonly text: string;
  readonly images: readonly { readonly mimeType: ImageType; readonly base64: string }[];
  readonly origin: TurnOrigin;
  readonly source?: string;
  readonly platform: string;
  /** The reply is spoken: it holds as much as is heard of it. */
  readonly spoken?: true;
  readonly given: {
    readonly system?: string;
    readonly demand?: string;
    /** In place of hark's. */
    readonly tools?: readonly ShownTool[];
    /** Beside hark's. */
    readonly clientTools?: readonly ShownTool[];
    readonly manner: { readonly maxOutputTokens?: number; readonly mustCall?: 'any' };
  };
}

interface Whose {
  readonly userId: string;
  readonly correlationId: string;
}

/** One that goes on by itself. */
export interface BegunTurn {
  readonly turnId: string;
  readonly transcript: {
    read(
      after: undefined,
      signal: AbortSignal,
    ): AsyncIterable<readonly { readonly signal: { readonly type: string; readonly content?: string } }[]>;
  };
  /** Never rejects. */
  readonly ended: Promise<Exchange>;
}

export interface VoiceTurns {
  begin(
    turn: AskedTurn & Whose & { readonly sessionId: string; readonly deviceId?: string | undefined },
  ): Promise<BegunTurn>;
  cancel(whose: Whose, turnId: string): Promise<boolean>;
  /** So much of what was said in it was heard. */
  heard(
    whose: Whose,
    heard: {
      readonly sessionId: string;
      readonly turnId: string;
      readonly characters: number;
      readonly isLast: boolean;
    },
  ): Promise<void>;
  /** What came of a call that the client was left. */
  returned(
    whose: Whose,
    returned: { readonly sessionId: string; readonly callId: string; readonly result: string },
  ): Promise<void>;
}
