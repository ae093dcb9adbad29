export interface CountRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

export interface CountReply {
  readonly id: number;
  readonly counts: readonly number[];
}
