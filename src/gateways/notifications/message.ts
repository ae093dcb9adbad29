/** What became of one that was sent: it arrived, or why it did not. */
export type Sent =
  | 'delivered'
  | {
      readonly failed: string;
      /** Sent again as it is, it would be refused again. */
      readonly isFinal: boolean;
      readonly retryAfterMs?: number;
    };

/** What is told, by whichever channel. */
export interface Outgoing {
  /** The same whenever it is sent again. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly at: number;
}

export interface DeliveryAttempt {
  readonly message: Outgoing;
  /** What opens the channel, where there is anything. */
  readonly secret: string | null;
  /** Addresses that not everybody can reach, and what is not encrypted. */
  readonly allowPrivate: boolean;
  readonly version: string;
  readonly signal: AbortSignal;
}

const MARK = '…';

/** No longer than so many bytes of UTF-8. */
export function cutTo(most: number, text: string): string {
  if (Buffer.byteLength(text) <= most) return text;
  const room = most - Buffer.byteLength(MARK);
  const cut = Buffer.from(text).subarray(0, room).toString('utf8');
  // A character that was cut through.
  return cut.replace(/\uFFFD+$/, '') + MARK;
}

/** On one line: nothing in it ends a header, or begins another. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
