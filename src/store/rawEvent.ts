/** An event as it lies in the log: personal fields taken out of `data` and sealed. */
export interface RawEvent {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  /** Version of the event's shape when it was written. */
  readonly schema: number;
  readonly at: number;
  readonly userId: string | null;
  readonly correlationId: string;
  readonly causationId: string | null;
  /** Under whose key `sealed` was sealed. */
  readonly subject: string | null;
  readonly data: string;
  readonly sealed: Uint8Array | null;
}

export type UnplacedEvent = Omit<RawEvent, 'position' | 'stream' | 'version'>;

/** A key as the adapter keeps it: 8 bytes of id, then 32 of key. */
export type KeyBytes = Uint8Array;
