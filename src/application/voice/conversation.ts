import type { TimedWord } from './speech.ts';

/*
 * A conversation by voice, to those who carry it (WebSockets, Wyoming, the tools voice.*). It outlives its connections. Its
 * items are those of the OpenAI Realtime API, which both paths speak: the names here are theirs where there are any.
 */

export interface TurnDetection {
  readonly type: 'server_vad' | 'semantic_vad';
  /** 0 to 1. */
  readonly threshold: number;
  readonly prefixPaddingMs: number;
  readonly silenceMs: number;
  /** How soon words that sound finished end the turn: `semantic_vad` only. */
  readonly eagerness: 'low' | 'medium' | 'high' | 'auto';
  /** False: the utterance is committed and transcribed, and the client asks for the response. */
  readonly createResponse: boolean;
  /** False: speech does not interrupt. */
  readonly interruptResponse: boolean;
  /** How long speech has to last to end a reply; 0 ends at once; undefined as the settings say. */
  readonly interruptionMs?: number | undefined;
}

/** What holds until a client says otherwise. */
export const DEFAULT_DETECTION: TurnDetection = {
  type: 'server_vad',
  threshold: 0.5,
  prefixPaddingMs: 300,
  silenceMs: 500,
  eagerness: 'auto',
  createResponse: true,
  interruptResponse: true,
};

interface ClientTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What a client may change while it speaks. */
export interface VoiceOptions {
  /** Null: push to talk. */
  readonly detection: TurnDetection | null;
  /** Whether replies come as speech (with their words), or as text alone. */
  readonly modality: 'audio' | 'text';
  readonly voice?: string | undefined;
  readonly speed?: number | undefined;
  readonly language?: string | undefined;
  /** In place of who hark says it is. */
  readonly instructions?: string | undefined;
  /** Of the client, beside hark's own: it runs them, and answers with `function_call_output`. */
  readonly tools: readonly ClientTool[];
  readonly toolChoice: 'auto' | 'none' | 'required';
  readonly mostOutputTokens?: number | undefined;
  /** Samples a second of `audio`. */
  readonly speechRate: number;
}

export type ContentPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_audio'; readonly transcript: string | null }
  | { readonly type: 'input_image'; readonly mimeType: string; readonly base64: string }
  | { readonly type: 'output_text'; readonly text: string }
  | { readonly type: 'output_audio'; readonly transcript: string };

type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

export type ConversationItem =
  | {
      readonly id: string;
      readonly type: 'message';
      readonly role: 'user' | 'assistant' | 'system';
      readonly status: ItemStatus;
      readonly content: readonly ContentPart[];
    }
  | {
      readonly id: string;
      readonly type: 'function_call';
      readonly status: ItemStatus;
      readonly callId: string;
      readonly name: string;
      readonly arguments: string;
    }
  | {
      readonly id: string;
      readonly type: 'function_call_output';
      readonly status: ItemStatus;
      readonly callId: string;
      readonly output: string;
    };

export interface VoiceResponse {
  readonly id: string;
  readonly status: 'in_progress' | 'completed' | 'cancelled' | 'failed' | 'incomplete';
  /** `turn_detected`, `client_cancelled`, or the code of an error. */
  readonly reason?: string | undefined;
  readonly output: readonly ConversationItem[];
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  readonly metadata?: ResponseOptions['metadata'];
}

export type VoiceState = 'listening' | 'thinking' | 'speaking' | 'idle';

/** What a carrier is told, in the order in which it is to tell it. */
export type VoiceEvent =
  | { readonly type: 'state'; readonly state: VoiceState }
  /** Milliseconds of all that was heard in the session. */
  | { readonly type: 'speech_started'; readonly itemId: string; readonly atMs: number }
  | { readonly type: 'speech_stopped'; readonly itemId: string; readonly atMs: number }
  | { readonly type: 'committed'; readonly itemId: string; readonly previousItemId: string | null }
  | { readonly type: 'cleared' }
  | { readonly type: 'transcript_delta'; readonly itemId: string; readonly delta: string }
  | {
      readonly type: 'transcript';
      readonly itemId: string;
      readonly text: string;
      readonly words: readonly TimedWord[];
    }
  | {
      readonly type: 'transcript_failed';
      readonly itemId: string;
      readonly code: string;
      readonly message: string;
    }
  | { readonly type: 'item_added'; readonly item: ConversationItem; readonly previousItemId: string | null }
  | { readonly type: 'item_done'; readonly item: ConversationItem; readonly previousItemId: string | null }
  | { readonly type: 'item_deleted'; readonly itemId: string }
  | { readonly type: 'item_truncated'; readonly itemId: string; readonly audioEndMs: number }
  | { readonly type: 'response_created'; readonly response: VoiceResponse }
  | {
      readonly type: 'output_item_added' | 'output_item_done';
      readonly responseId: string;
      readonly index: number;
      readonly item: ConversationItem;
    }
  | {
      readonly type: 'content_part_added' | 'content_part_done';
      readonly place: OutputPlace;
      readonly part: ContentPart;
    }
  | { readonly type: 'text_delta'; readonly place: OutputPlace; readonly delta: string }
  | { readonly type: 'text_done'; readonly place: OutputPlace; readonly text: string }
  /** Words with their times in the audio of the item, as their speech is sent. */
  | {
      readonly type: 'speech_words';
      readonly place: OutputPlace;
      readonly delta: string;
      readonly words: readonly TimedWord[];
    }
  | { readonly type: 'speech_words_done'; readonly place: OutputPlace; readonly text: string }
  /** At `speechRate`, at the pace of time with a small lead; `isLowered` while an interruption is being confirmed. */
  | {
      readonly type: 'audio';
      readonly place: OutputPlace;
      readonly samples: Int16Array;
      readonly isFirst: boolean;
      readonly isLowered: boolean;
    }
  | { readonly type: 'audio_done'; readonly place: OutputPlace }
  | {
      readonly type: 'arguments_delta' | 'arguments_done';
      readonly place: OutputPlace;
      readonly callId: string;
      readonly name: string;
      readonly text: string;
    }
  | { readonly type: 'response_done'; readonly response: VoiceResponse }
  | {
      readonly type: 'error';
      readonly code: string;
      readonly message: string;
      readonly eventId?: string | undefined;
    }
  /** The session is over, for everybody. */
  | { readonly type: 'ended' };

export interface OutputPlace {
  readonly responseId: string;
  readonly itemId: string;
  readonly outputIndex: number;
  readonly contentIndex: number;
}

/** What one response is asked with, beside what the session is. */
export interface ResponseOptions {
  readonly instructions?: string | undefined;
  readonly modality?: 'audio' | 'text' | undefined;
  readonly tools?: readonly ClientTool[] | undefined;
  readonly toolChoice?: VoiceOptions['toolChoice'] | undefined;
  readonly mostOutputTokens?: number | undefined;
  readonly voice?: string | undefined;
  /** The client's own words about it, which it is told again. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** What a client did wrong is thrown as a `HarkError` with `BAD_REQUEST`; the carrier tells it. */
export interface VoiceConversation {
  readonly sessionId: string;
  readonly options: VoiceOptions;
  configure(change: Partial<VoiceOptions>): void;
  /** 16 bits, mono, at `HEARING_RATE`. */
  hear(samples: Int16Array): void;
  /** So many samples, at `HEARING_RATE`, are missing here: counted as a gap, and heard as silence. The carrier tells it. */
  miss(samples: number): void;
  /** The utterance is over: transcribed, an item, and answered where `detection` would, or `answer` says so. */
  commit(answer?: boolean): void;
  clear(): void;
  add(item: ConversationItem, after: string | null | undefined): void;
  remove(itemId: string): void;
  find(itemId: string): ConversationItem | undefined;
  /** What of the item was played before the client stopped it. */
  truncate(itemId: string, audioEndMs: number): void;
  respond(options: ResponseOptions): void;
  cancel(responseId: string | undefined): void;
  /** How far the client has played, by itself. */
  played(responseId: string, ms: number): void;
  /** The audio buffer of the client is cleared: what has not been played is not heard. */
  stopSpeaking(): void;
}

/** One connection of a conversation. Another may take it up again, or be there beside it. */
export interface VoiceConnection {
  readonly conversation: VoiceConversation;
  /** Over: `ends` where the client said so (a close with code 1000 or none), else it may come back. */
  leave(ends: boolean): void;
}

export interface VoiceCaller {
  readonly userId: string;
  readonly correlationId: string;
  readonly deviceId?: string | undefined;
}

export interface VoiceRooms {
  /**
   * Undefined where `sessionId` is given and there is no such session of the user. What listens is told everything from
   * now on, and what is going on before that (`state`, and the response that is being given). Throws where too many are open.
   */
  connect(
    caller: VoiceCaller,
    options: {
      readonly connectionId: string;
      readonly sessionId?: string | undefined;
      readonly initial: VoiceOptions;
      readonly listener: (event: VoiceEvent) => void;
    },
  ): VoiceConnection | undefined;

  /**
   * Says a text in the session, after what is being said in it. Without `sessionId` it is the session of the user that
   * was active last and has a connection. Gives the session's id, once the text is queued. Throws `VOICE_SESSION_NONE`.
   */
  speak(
    userId: string,
    asked: {
      readonly text: string;
      readonly voice?: string | undefined;
      readonly sessionId?: string | undefined;
    },
  ): string;
  /**
   * What the user says in the session from now on, for so long at most, as words; empty where nothing was. Who speaks
   * then answers whoever asked, and no turn begins. Throws `VOICE_SESSION_NONE`, and `VOICE_SESSION_BUSY` where another
   * listens in it already.
   */
  listen(
    userId: string,
    asked: {
      readonly durationMs: number;
      readonly sessionId?: string | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<string>;
}
