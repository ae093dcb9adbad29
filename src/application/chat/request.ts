import type { ReceiveMessage } from '../../commands/chat/turns.ts';
import type { CompletionRequest, ModelMessage } from '../../gateways/models/gateway.ts';
import type { SlotName } from '../../vocabulary.ts';
import type { ShownTool } from './tool.ts';

export interface TurnRequest
  extends Pick<
    ReceiveMessage,
    'sessionId' | 'platform' | 'origin' | 'source' | 'images' | 'transient' | 'client' | 'spoken'
  > {
  readonly text: string;
  readonly userId: string;
  /** The turn of the session in whose place this one stands. */
  readonly replaces?: string | undefined;
  readonly correlationId: string;
  /** The device by which the user asks: its turn does no more than it may. */
  readonly deviceId?: string | undefined;
  /** Given where the same may be asked twice: the second time joins the turn of the first. */
  readonly turnId?: string;
  /** Asked in any case, wherever the text would be routed to. */
  readonly slot?: SlotName;
  readonly given?: Given;
}

/** What a client brings of its own. Nothing of it is written down. */
export interface Given {
  /** In place of who hark says it is. */
  readonly system?: string;
  /** Said beside whichever it is. */
  readonly demand?: string;
  /** Of one that keeps the conversation itself: in place of all that was said, the message of this turn included. */
  readonly messages?: readonly ModelMessage[];
  /** In place of hark's tools: the client runs them, so that a call ends the turn. */
  readonly tools?: readonly ShownTool[];
  /** Beside hark's tools: the client runs these alone, and the turn ends with what it is left to run. */
  readonly clientTools?: readonly ShownTool[];
  /** How the model is to answer. */
  readonly manner: Pick<
    CompletionRequest,
    'temperature' | 'maxOutputTokens' | 'schema' | 'mustCall' | 'oneCall' | 'stop'
  >;
}
