import { HarkError, isHarkError } from '../../errors.ts';
import { named } from '../../tracing/context.ts';
import { isTraced, tellPast } from '../../tracing/live.ts';
import type { VoiceStatistics } from '../../voiceStatistics.ts';
import type { ConversationItem, OutputPlace, VoiceEvent, VoiceOptions } from './conversation.ts';
import type { HeardTurn, Hearing, Utterance } from './hearing.ts';
import type { SaidAudio } from './keptAudio.ts';
import { VoiceMeasures } from './measures.ts';
import type { SpeechPace } from './mouth.ts';
import { type Participant, Participants } from './participants.ts';
import { responseSoFar } from './responses.ts';
import { beginSession, next } from './sessionMachine.ts';
import type { SessionEffect, SessionInput, VoiceSessionState } from './sessionState.ts';
import type { Recognized, SpeechDetector, SpeechIntoWords, WordsIntoSpeech } from './speech.ts';
import { HEARING_RATE } from './speech.ts';
import { SpeechKeeping } from './speechKeeping.ts';
import { SpokenReplies, type SpokenReply } from './spokenReplies.ts';
import { SpokenTurns } from './spokenTurns.ts';
import type { VoiceTurns } from './voiceTurns.ts';

export interface SessionParts {
  readonly turns: VoiceTurns;
  readonly ears: SpeechIntoWords;
  readonly mouth: WordsIntoSpeech;
  readonly detector: SpeechDetector;
  readonly statistics: Pick<
    VoiceStatistics,
    'took' | 'turnTaken' | 'gaps' | 'audioChunksIn' | 'audioChunksOut'
  >;
  readonly pace: SpeechPace;
  readonly newId: () => string;
  readonly interruptionMs: () => number;
  /** Whether nothing is heard while hark speaks. */
  readonly halfDuplex: () => boolean;
  /** Whether a word is said while tools work. */
  readonly fills: () => boolean;
  /** Says in the session, as the assistant, what was said elsewhere. */
  readonly note: (whose: Whose, text: string) => Promise<void>;
  /** What a turn with this text would ask is asked ahead, as no turn may come of it. Never rejects. */
  readonly prepareTurn: (userId: string, text: string) => Promise<void>;
  /** Whether what the user and hark say is kept, and how. */
  readonly keepsAudio: (userId: string) => Promise<boolean>;
  readonly keepAudio: (whose: Whose, said: SaidAudio) => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
}

interface Whose {
  readonly userId: string;
  readonly sessionId: string;
  readonly correlationId: string;
}

interface SessionOptions extends Whose {
  /** The device that opens it. */
  readonly deviceId: string | undefined;
  readonly initial: VoiceOptions;
  /** Something was said in it, by either side. */
  readonly onActive: () => void;
}

/** Louder than this is audible. */
const AUDIBLE = 300;

/** A session at work: what comes next says the machine, and here it is done. It outlives its connections. */
export class Session {
  readonly userId: string;
  readonly sessionId: string;
  readonly #parts: SessionParts;
  readonly #onActive: () => void;
  readonly #measures: VoiceMeasures;
  readonly #participants: Participants;
  readonly #turns: SpokenTurns;
  readonly #keeping: SpeechKeeping;
  readonly #inputs: SessionInput[] = [];
  readonly #replies: SpokenReplies;
  #state: VoiceSessionState;
  /** Of what hark says now. */
  #saying: { readonly pieces: Int16Array[]; isAudible: boolean } = { pieces: [], isAudible: false };
  #isTaking = false;
  #isTold = true;
  #isPreparing = false;
  /** Whoever spoke or asked last: what is done now is done for them. */
  #last: Pick<Participant, 'correlationId'>;
  #writes: Promise<unknown> = Promise.resolve();
  /** Of the utterance that a client commits. */
  #answers: boolean | undefined;
  /** Somebody listens to what is said next. */
  #aside: ((text: string) => void) | undefined;

  constructor({ initial, deviceId, onActive, ...whose }: SessionOptions, parts: SessionParts) {
    this.#onActive = onActive;
    this.userId = whose.userId;
    this.sessionId = whose.sessionId;
    this.#last = { correlationId: whose.correlationId };
    this.#parts = parts;
    this.#measures = new VoiceMeasures(parts);
    this.#state = beginSession(parts.newId().replaceAll('-', '').slice(0, 12), initial, deviceId);
    const { onFailure } = parts;
    this.#keeping = new SpeechKeeping({
      isWanted: () => parts.keepsAudio(this.userId),
      keep: (said) => parts.keepAudio(this.#whose, said),
      onFailure,
    });
    this.#participants = new Participants({
      ...parts,
      now: () => (this.isOver ? undefined : this.#state),
      onRaise: () => this.put({ type: 'raised' }),
      onTurn: (who, output, said, agoMs) => this.#hearTurn(who, output, said, agoMs),
      onWords: (text) => this.put({ type: 'understanding', text }),
      onPause: (text) => this.#answersAll && this.#prepare(text),
    });
    this.#replies = new SpokenReplies({
      ...{ speech: parts.mouth, pace: parts.pace },
      options: () => this.options,
      onAudio: (reply, samples, how) => this.#sound(reply, samples, how),
      onWords: ({ place: { responseId } }, delta, words) => {
        this.put({ type: 'spoken', responseId, delta, words });
        this.#participants.saying(delta);
      },
      onHeard: ({ turnOf }, characters) => this.#write(() => this.#turns.heard(turnOf, characters, false)),
      onDone: ({ place: { responseId } }) => this.put({ type: 'played', responseId }),
      onFailure: (error) => {
        if (!isHarkError(error, 'TTS_UNAVAILABLE')) onFailure('speech', error);
      },
      onSentence: () => this.#measures.sentence(),
      onSynthesis: ({ turnOf }, ms) => {
        parts.statistics.took('synthesis', ms);
        this.#tellStage('text_to_speech', ms, named.turn(turnOf));
      },
    });
    this.#turns = new SpokenTurns({
      ...{ turns: parts.turns, fills: parts.fills, onFailure },
      whose: () => this.#whose,
      options: () => this.options,
      isWanted: (responseId) => !this.isOver && this.#state.response?.id === responseId,
      write: (write) => this.#write(write),
      put: (input) => this.put(input),
      onText: () => this.#measures.text(),
      keepSaid: () => this.#keepSaid(),
    });
  }

  get options(): VoiceOptions {
    return this.#state.options;
  }

  get isOver(): boolean {
    return this.#state.isOver;
  }

  get isSpeaking(): boolean {
    return this.#state.state === 'speaking';
  }

  /** Nothing is said, heard or thought about. */
  get isIdle(): boolean {
    return this.#state.state === 'idle';
  }

  get connections(): readonly string[] {
    return this.#participants.connections;
  }

  join(who: Participant): void {
    this.#participants.join(who);
    this.#keeping.look();
    who.listener({ type: 'state', state: this.#state.state });
    for (const event of responseSoFar(this.#state)) who.listener(event);
    // What the user's own speech holds back waits for its end.
    if (!this.#state.isHeld) this.#replies.mouth?.release();
  }

  leave(connectionId: string): void {
    if (this.#participants.leave(connectionId)) {
      if (this.#state.utterance !== null) this.put({ type: 'dropped' });
      this.put({ type: 'raised' });
    }
    // What nobody is there to hear is said when somebody is.
    if (this.#participants.size === 0) this.#replies.mouth?.hold();
  }

  /** Something that the user does, by this connection. */
  acts(connectionId: string): void {
    this.#last = this.#participants.find(connectionId) ?? this.#last;
  }

  hearing(connectionId: string): Hearing | undefined {
    return this.#participants.hearing(connectionId);
  }

  hear(connectionId: string, samples: Int16Array): void {
    this.#parts.statistics.audioChunksIn++;
    this.hearing(connectionId)?.hear(samples);
  }

  /** So many samples of this microphone are lost. */
  miss(connectionId: string, samples: number): void {
    this.#parts.statistics.gaps++;
    this.hearing(connectionId)?.miss(samples);
  }

  configure(change: Partial<VoiceOptions>, deviceId?: string): void {
    this.put({ type: 'configured', change, deviceId });
    this.#participants.configure(this.options);
  }

  /** Throws where a client may not do that, and for no other reason: what a turn or an engine puts in has nobody to tell. */
  put(input: SessionInput): void {
    this.#inputs.push(input);
    if (this.#isTaking) return;
    this.#isTaking = true;
    let refused: { readonly error: unknown } | undefined;
    for (let one = this.#inputs.shift(); one; one = this.#inputs.shift())
      try {
        this.#take(one);
      } catch (error) {
        if (one === input && isOfClient(one)) refused = { error };
        else this.#parts.onFailure('voice session', error);
      }
    this.#isTaking = false;
    if (refused) throw refused.error;
  }

  find(itemId: string): ConversationItem | undefined {
    return this.#state.items.find(({ id }) => id === itemId);
  }

  truncate(itemId: string, audioEndMs: number): void {
    const characters = this.#replies.heardBefore(itemId, audioEndMs);
    this.put({ type: 'truncated', itemId, audioEndMs, characters });
  }

  played(responseId: string, ms: number): void {
    if (this.#state.response?.id === responseId) this.#replies.mouth?.played(ms);
  }

  /** Resolves when what was heard is written down, and nothing goes on any more. Where it goes on elsewhere, untold. */
  async end(isTold = true): Promise<void> {
    this.#isTold = isTold;
    if (!this.isOver) this.put({ type: 'ended' });
    this.#aside?.('');
    this.#participants.close();
    this.#replies.mouth?.stop();
    await this.#writes;
  }

  #take(input: SessionInput): void {
    const { state, effects } = next(this.#state, input, this.#replies.heard(this.#state.response?.id));
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: SessionEffect): void {
    switch (effect.type) {
      case 'tell':
        this.#tell(effect.event);
        break;
      case 'recognise':
        this.#onActive();
        return void this.#recognise(effect.itemId, effect.said);
      case 'ask':
        this.#onActive();
        this.#turns.ask(effect.responseId, effect.question);
        break;
      case 'open mouth':
        this.#openMouth(effect.place, effect.voice);
        break;
      case 'say':
        this.#replies.mouth?.say(effect.text);
        break;
      case 'say aside':
        this.#replies.mouth?.sayAside(effect.text);
        break;
      case 'flush':
      case 'finish':
      case 'lower':
      case 'raise':
      case 'hold':
        this.#replies.mouth?.[effect.type]();
        break;
      case 'release':
        if (this.#participants.size > 0) this.#replies.mouth?.release();
        return;
      case 'hush':
        this.#replies.mouth?.stop();
        break;
      case 'settle':
        this.#write(() => this.#turns.settle(effect));
        break;
      case 'heard': {
        const spoken = this.#replies.find(effect.itemId);
        if (!spoken) return;
        const characters = spoken.base + effect.characters;
        this.#write(() => this.#turns.heard(spoken.turnOf, characters, true));
        break;
      }
      case 'return': {
        const { callId, output: result } = effect;
        this.#write(() =>
          this.#parts.turns.returned(this.#whose, { sessionId: this.sessionId, callId, result }),
        );
        break;
      }
      case 'note':
        this.#write(() => this.#parts.note(this.#whose, effect.text));
        break;
      case 'doing':
        this.#participants.doing(effect.doing, effect.asked);
    }
  }

  get #whose(): Whose {
    const { correlationId } = this.#last;
    return { userId: this.userId, sessionId: this.sessionId, correlationId };
  }

  #tell(event: VoiceEvent): void {
    if (this.#isTold) this.#participants.tell(event);
  }

  /** One after the other: a turn follows on what was heard of the one before. */
  #write(write: () => Promise<unknown>): void {
    this.#writes = this.#writes
      .then(write)
      .catch((error: unknown) => this.#parts.onFailure('voice session', error));
  }

  // What is heard

  #hearTurn(
    who: Participant,
    output: HeardTurn,
    said: Utterance | undefined,
    agoMs: (atMs: number) => number,
  ): void {
    this.#measures.hear(output, agoMs);
    this.#last = who;
    switch (output.type) {
      case 'started':
      case 'stopped':
        this.put(output);
        break;
      case 'lower':
        this.put({ type: 'lowered' });
        break;
      case 'raise':
        this.put({ type: 'raised' });
        break;
      case 'interrupt':
        this.put({ type: 'interrupted' });
        break;
      case 'drop':
        this.put({ type: 'dropped' });
        break;
      case 'utterance':
        this.put({
          type: 'committed',
          said,
          answer: this.#answers ?? this.#answersAll,
          isAside: this.#aside !== undefined,
          deviceId: who.deviceId,
        });
    }
  }

  get #answersAll(): boolean {
    return this.options.detection?.createResponse ?? false;
  }

  /** The client says that the utterance is over, and maybe that it is to be answered. */
  commit(connectionId: string, answer?: boolean): void {
    this.#answers = answer;
    this.hearing(connectionId)?.commit();
    this.#answers = undefined;
  }

  /** What is said from now on, for so long at most: it answers whoever asks, and begins no turn. */
  async listen(durationMs: number, signal: AbortSignal): Promise<string> {
    if (this.#aside) throw new HarkError('VOICE_SESSION_BUSY');
    const heard = Promise.withResolvers<string>();
    this.#aside = heard.resolve;
    this.#tell({ type: 'state', state: 'listening' });
    const stop = () => {
      // Who is in the middle of a word is understood so far.
      const { speaker } = this.#participants;
      if (this.#state.utterance !== null && speaker !== undefined) this.commit(speaker);
      else if (!this.#state.recognising.some(({ isAside }) => isAside)) heard.resolve('');
    };
    const cancel = this.#parts.pace.after(durationMs, stop);
    const leave = () => heard.resolve('');
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    const text = await heard.promise;
    signal.removeEventListener('abort', leave);
    cancel();
    this.#aside = undefined;
    this.#tell({ type: 'state', state: this.#state.state });
    return text;
  }

  /** To whoever traces: it was over just now. */
  #tellStage(name: 'speech_to_text' | 'text_to_speech', ms: number, within?: string): void {
    if (!isTraced()) return;
    const { correlationId } = this.#last;
    const endMs = performance.timeOrigin + performance.now();
    const attributes = {
      'gen_ai.operation.name': name,
      'gen_ai.provider.name': 'hark',
      'gen_ai.conversation.id': this.sessionId,
    };
    tellPast({ name, kind: 'internal', correlationId, within, attributes }, endMs - ms, endMs);
  }

  async #recognise(itemId: string, said: Utterance | undefined): Promise<void> {
    if (said) this.#keeping.add({ role: 'user', rate: HEARING_RATE, pieces: said.samples });
    const recognized = said?.recognized ?? Promise.resolve<Recognized>({ text: '', words: [] });
    const aside = this.#state.recognising.find((one) => one.itemId === itemId)?.isAside
      ? this.#aside
      : undefined;
    const askedMs = performance.now();
    try {
      const words = await recognized;
      this.#measures.recognized(words.text);
      this.#tellStage('speech_to_text', performance.now() - askedMs);
      this.put({ type: 'recognized', itemId, ...words });
      aside?.(words.text);
    } catch (error) {
      aside?.('');
      const known = isHarkError(error);
      if (!known) this.#parts.onFailure('speech recognition', error);
      const code = known ? error.code : 'STT_UNAVAILABLE';
      this.put({
        type: 'unrecognized',
        itemId,
        code,
        message: known ? error.message : 'Speech was not understood',
      });
    }
  }

  // What is answered

  /** One after the other: whoever stammers asks for no more than that. */
  #prepare(text: string): void {
    if (this.#isPreparing || this.#aside) return;
    this.#isPreparing = true;
    void this.#parts.prepareTurn(this.userId, text).finally(() => {
      this.#isPreparing = false;
    });
  }

  #keepSaid(): Promise<void> {
    return this.#keeping.write(this.#state.response !== null && !this.#state.response.ending);
  }

  // What is said

  #openMouth(place: OutputPlace, voice: string | undefined): void {
    const { base = 0, turnOf = place.responseId } = this.#state.response ?? {};
    this.#saying = { pieces: [], isAudible: false };
    const { pieces } = this.#saying;
    this.#keeping.add({ role: 'assistant', rate: this.options.speechRate, pieces });
    const mouth = this.#replies.open({ place, base, turnOf }, voice);
    if (this.#participants.size === 0) mouth.hold();
  }

  #sound(
    { place }: SpokenReply,
    samples: Int16Array,
    how: { readonly isFirst: boolean; readonly isLowered: boolean },
  ): void {
    if (how.isFirst) this.put({ type: 'sounded', responseId: place.responseId });
    if (!this.#saying.isAudible && samples.some((sample) => Math.abs(sample) > AUDIBLE)) {
      this.#saying.isAudible = true;
      this.#measures.audible();
    }
    this.#parts.statistics.audioChunksOut += this.#participants.size;
    if (this.#keeping.mayBeWanted) this.#saying.pieces.push(samples);
    this.#tell({ type: 'audio', place, samples, ...how });
  }
}

function isOfClient({ type }: SessionInput): boolean {
  switch (type) {
    case 'added':
    case 'removed':
    case 'truncated':
    case 'respond':
    case 'cancelled':
    case 'silenced':
    case 'cleared':
    case 'configured':
    case 'say':
      return true;
    default:
      return false;
  }
}
