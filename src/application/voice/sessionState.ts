import type {
  ContentPart,
  ConversationItem,
  OutputPlace,
  ResponseOptions,
  VoiceEvent,
  VoiceOptions,
  VoiceResponse,
  VoiceState,
} from './conversation.ts';
import type { Utterance } from './hearing.ts';
import type { Recognized, TimedWord } from './speech.ts';

/* What a session of voice is at each moment, what comes in and what goes out: see sessionMachine.ts. */

/** An utterance that has ended, on its way into words. */
interface Recognising {
  readonly itemId: string;
  /** Whether it is to be answered. */
  readonly answer: boolean;
  /** Said to whoever listens, and to no turn. */
  readonly isAside: boolean;
  readonly deviceId: string | undefined;
  /** Its words that were told already. */
  readonly told: string;
}

/** An item of the user that no turn has taken. */
interface Unanswered {
  readonly itemId: string;
  readonly deviceId: string | undefined;
}

/** Where the words of a response come from: a turn, what was left of one that was interrupted, or whoever had it said. */
type ResponseSource = 'turn' | 'rest' | 'said';

export interface ActiveResponse {
  readonly id: string;
  readonly source: ResponseSource;
  /** Whose turn it is: the response that asked for it. */
  readonly turnOf: string;
  /** Characters of the reply that were heard in the response before. */
  readonly base: number;
  readonly modality: 'audio' | 'text';
  readonly metadata?: ResponseOptions['metadata'];
  /** Whose words it answers: with no more than they may. */
  readonly devices: DeviceIds;
  readonly itemId: string | null;
  /** What the model said, and how much of that was told. */
  readonly text: string;
  readonly told: string;
  readonly output: readonly ConversationItem[];
  readonly isAudible: boolean;
  /** What its turn came to: nothing more comes of that. */
  readonly outcome: Ending | null;
  /** How it ends, as soon as that is settled. */
  readonly ending: Ending | null;
}

export interface Ending {
  readonly status: Exclude<VoiceResponse['status'], 'in_progress'>;
  readonly reason?: string | undefined;
  readonly usage?: VoiceResponse['usage'];
  readonly calls: readonly ClientCall[];
}

export interface ClientCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
}

/** What of an interrupted reply was not heard: it is said after all where nobody had spoken. */
export interface Rest {
  readonly turnOf: string;
  readonly text: string;
  readonly base: number;
  readonly modality: 'audio' | 'text';
  readonly devices: DeviceIds;
  /** The model had said all of it. */
  readonly isWhole: boolean;
}

/** An answer that is owed as soon as it may be given. */
export type OwedAnswer =
  | {
      readonly type: 'answer';
      readonly options: ResponseOptions;
      /** Beside those whose items it takes. */
      readonly devices: DeviceIds;
      readonly isGoingOn?: true;
    }
  | { readonly type: 'rest'; readonly rest: Rest }
  | { readonly type: 'say'; readonly text: string; readonly voice?: string | undefined };

export interface VoiceSessionState {
  /** Ids are this and a number. */
  readonly prefix: string;
  readonly ids: number;
  readonly options: VoiceOptions;
  /** The device that opened it. */
  readonly openedBy: string | undefined;
  /** DeviceIds that say how everything is answered, or with which tools. */
  readonly shapedBy: DeviceIds;
  readonly state: VoiceState;
  readonly items: readonly ConversationItem[];
  /** The utterance that is being heard. */
  readonly utterance: string | null;
  /** Its words that were told already. */
  readonly told: string;
  readonly recognising: readonly Recognising[];
  readonly unanswered: readonly Unanswered[];
  /** What the client put in beside what the user says. */
  readonly demands: readonly string[];
  /** The client returned what its tools gave, and nothing went on from it yet. */
  readonly hasReturned: boolean;
  readonly returnedBy: DeviceIds;
  readonly due: readonly OwedAnswer[];
  readonly response: ActiveResponse | null;
  readonly rest: Rest | null;
  /** Speech of the user holds back what would be said now. */
  readonly isHeld: boolean;
  readonly isOver: boolean;
}

/** Of those who speak or write with the proof of a device; all others may what the user may. */
export type DeviceIds = readonly string[];

interface OfSomebody {
  readonly deviceId?: string | undefined;
}

export type SessionInput =
  | ({ readonly type: 'configured'; readonly change: Partial<VoiceOptions> } & OfSomebody)
  /** From the microphone. */
  | { readonly type: 'started'; readonly atMs: number }
  | { readonly type: 'stopped'; readonly atMs: number }
  | ({
      readonly type: 'committed';
      readonly said: Utterance | undefined;
      readonly answer: boolean;
      readonly isAside: boolean;
    } & OfSomebody)
  | { readonly type: 'dropped' }
  | { readonly type: 'cleared' }
  | { readonly type: 'lowered' | 'raised' | 'interrupted' }
  | { readonly type: 'understanding'; readonly text: string }
  | ({ readonly type: 'recognized'; readonly itemId: string } & Recognized)
  | {
      readonly type: 'unrecognized';
      readonly itemId: string;
      readonly code: string;
      readonly message: string;
    }
  /** From the client. */
  | ({
      readonly type: 'added';
      readonly item: ConversationItem;
      readonly after: string | null | undefined;
    } & OfSomebody)
  | { readonly type: 'removed'; readonly itemId: string }
  | {
      readonly type: 'truncated';
      readonly itemId: string;
      readonly audioEndMs: number;
      readonly characters: number;
    }
  | ({ readonly type: 'respond'; readonly options: ResponseOptions } & OfSomebody)
  | { readonly type: 'cancelled'; readonly responseId: string | undefined }
  | { readonly type: 'silenced' }
  | { readonly type: 'say'; readonly text: string; readonly voice?: string | undefined }
  /** From the turn. */
  | { readonly type: 'text'; readonly responseId: string; readonly text: string }
  | { readonly type: 'working'; readonly responseId: string; readonly filler: string | undefined }
  | ({ readonly type: 'written'; readonly responseId: string; readonly sorry?: string } & Ending)
  /** From the mouth. */
  | { readonly type: 'sounded'; readonly responseId: string }
  | {
      readonly type: 'spoken';
      readonly responseId: string;
      readonly delta: string;
      readonly words: readonly TimedWord[];
    }
  | { readonly type: 'played'; readonly responseId: string }
  /** What was heard is in the log. */
  | { readonly type: 'settled'; readonly responseId: string }
  | { readonly type: 'ended' };

export type SessionInputOf<Type extends SessionInput['type']> = Extract<SessionInput, { type: Type }>;

/** What a turn is asked with. */
export interface VoiceQuestion {
  readonly text: string;
  /** Of a client where nothing was said. */
  readonly isUsers: boolean;
  readonly images: readonly Extract<ContentPart, { type: 'input_image' }>[];
  readonly options: ResponseOptions;
  readonly demands: readonly string[];
  readonly modality: 'audio' | 'text';
  readonly devices: DeviceIds;
}

export type SessionEffect =
  | { readonly type: 'tell'; readonly event: VoiceEvent }
  /** The utterance that was committed, into words. */
  | { readonly type: 'recognise'; readonly itemId: string; readonly said: Utterance | undefined }
  | { readonly type: 'ask'; readonly responseId: string; readonly question: VoiceQuestion }
  | { readonly type: 'open mouth'; readonly place: OutputPlace; readonly voice: string | undefined }
  | { readonly type: 'say'; readonly text: string }
  /** Beside the reply, as a word while tools work: it is no part of it. */
  | { readonly type: 'say aside'; readonly text: string }
  | { readonly type: 'flush' | 'finish' | 'lower' | 'raise' | 'hold' | 'release' | 'hush' }
  /** Ends the turn where it is not over, and has what was heard of it kept; then it is `settled`. */
  | {
      readonly type: 'settle';
      readonly responseId: string;
      readonly turnOf: string;
      readonly cancels: boolean;
      /** Null where all of it counts. */
      readonly characters: number | null;
    }
  | { readonly type: 'heard'; readonly itemId: string; readonly characters: number }
  | { readonly type: 'return'; readonly callId: string; readonly output: string }
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'doing'; readonly doing: VoiceState; readonly asked: boolean };

/** A state while it changes, and what it puts out. */
export class SessionDraft {
  state: VoiceSessionState;
  readonly effects: SessionEffect[] = [];

  constructor(state: VoiceSessionState) {
    this.state = state;
  }

  set(change: Partial<VoiceSessionState>): void {
    this.state = { ...this.state, ...change };
  }

  put(effect: SessionEffect): void {
    this.effects.push(effect);
  }

  tell(event: VoiceEvent): void {
    this.effects.push({ type: 'tell', event });
  }

  /** A client may have put in items whose ids would come next. */
  newId(kind: 'item' | 'resp'): string {
    const { prefix, items } = this.state;
    for (let number = this.state.ids + 1; ; number++) {
      const id = `${kind}_${prefix}${number.toString(36).padStart(4, '0')}`;
      if (items.some((item) => item.id === id)) continue;
      this.set({ ids: number });
      return id;
    }
  }

  changeResponse(change: Partial<ActiveResponse>): void {
    const { response } = this.state;
    if (response) this.set({ response: { ...response, ...change } });
  }
}
