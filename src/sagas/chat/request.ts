import type { ReceiveMessage } from '../../commands/chat/receiveMessage.ts';

export interface TurnRequest extends Pick<ReceiveMessage, 'sessionId' | 'platform' | 'images'> {
  readonly text: string;
  readonly userId: string;
  readonly correlationId: string;
  /** Given where the same may be asked twice: the second time joins the turn of the first. */
  readonly turnId?: string;
}
