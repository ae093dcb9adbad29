import type { TurnMetadata } from '../../events/chat.ts';

/** What a client that listens to a turn is told, under the names of the specification. */
export type TurnSignal =
  | { readonly type: 'content' | 'thinking'; readonly content: string }
  | {
      readonly type: 'tool_start';
      readonly name: string;
      readonly id: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly result: string;
      readonly error: boolean;
      readonly durationMs: number;
    }
  | { readonly type: 'step'; readonly stepNumber: number }
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  | { readonly type: 'done'; readonly metadata: DoneMetadata };

export interface DoneMetadata extends TurnMetadata {
  readonly turnId: string;
  readonly sessionId?: string;
}

export interface NumberedSignal {
  /** Names everything up to and with this signal: who read so far goes on after it. */
  readonly id: string;
  readonly signal: TurnSignal;
}
