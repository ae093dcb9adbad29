import { HarkError, isHarkError } from '../../errors.ts';
import { named } from '../../tracing/context.ts';
import { isTraced, tellPast } from '../../tracing/live.ts';
import type { VoiceStatistics } from '../../voiceStatistics.ts';
import type { ConversationItem, OutputPlace, VoiceEvent, VoiceOptions } from './conversation.ts';
import { type HeardTurn, Hearing, type Utterance } from './hearing.ts';
import type { SaidAudio } from './keptAudio.ts';
import { VoiceMeasures } from './measures.ts';
import { Mouth, type SpeechPace } from './mouth.ts';
import { phrasesIn } from './phrases.ts';
import { beginSession, next } from './sessionMachine.ts';
import type { SessionEffect, SessionInput, VoiceQuestion, VoiceSessionState } from './sessionState.ts';
import type { Recognized, SpeechDetector, SpeechIntoWords, WordsIntoSpeech } from './speech.ts';
import { HEARING_RATE } from './speech.ts';
import { endingOf, requestOf } from './voiceTurn.ts';
import type { BegunTurn, VoiceTurns } from './voiceTurns.ts';

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

/** Who is there: a connection, with a microphone of its own. */
export interface Participant {
  readonly connectionId: string;
  readonly correlationId: string;
  readonly deviceId: string | undefined;
  readonly listener: (event: VoiceEvent) => void;
}

interface Present extends Participant {
  hearing: Hearing | undefined;
}

/** A reply that was spoken lately, for a client that says later how much of it was played. */
interface Spoken {
  readonly turnOf: string;
  readonly base: number;
  readonly mouth: Mouth;
}

const MOST_SPOKEN = 16;
const MOST_SAID = 16;
const MOST_TURNS = 32;
/** Louder than this is audible. */
const AUDIBLE = 300;

/** A session at work: what comes next says the machine, and here it is done. It outlives its connections. */
export class Session {
  readonly userId: string;
  readonly sessionId: string;
  readonly #parts: SessionParts;
  readonly #onActive: () => void;
  readonly #measures: VoiceMeasures;
  readonly #present = new Map<string, Present>();
  readonly #inputs: SessionInput[] = [];
  /** By response. */
  readonly #turns = new Map<string, Promise<BegunTurn | undefined>>();
  /** By item. */
  readonly #spoken = new Map<string, Spoken>();
  #state: VoiceSessionState;
  #mouth: { readonly mouth: Mouth; readonly place: OutputPlace; readonly base: number } | undefined;
  #isTaking = false;
  #isTold = true;
  #keepsAudio = false;
  #isPreparing = false;
  /** Until the conversation is there. */
  #said: SaidAudio[] = [];
  /** Whoever spoke or asked last: what is done now is done for them. */
  #last: Pick<Participant, 'correlationId'>;
  /** The connection whose user is speaking. */
  #speaker: string | undefined;
  /** Other connections, whose microphones hear the same. */
  readonly #overhearing = new Set<string>();
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
    return [...this.#present.keys()];
  }

  join(who: Participant): void {
    this.#present.set(who.connectionId, { ...who, hearing: undefined });
    this.#lookWhatIsKept();
    who.listener({ type: 'state', state: this.#state.state });
    // What the user's own speech holds back waits for its end.
    if (!this.#state.isHeld) this.#mouth?.mouth.release();
  }

  leave(connectionId: string): void {
    this.#present.get(connectionId)?.hearing?.close();
    this.#present.delete(connectionId);
    this.#overhearing.delete(connectionId);
    if (this.#speaker === connectionId) {
      this.#speaker = undefined;
      if (this.#state.utterance !== null) this.put({ type: 'dropped' });
      this.put({ type: 'raised' });
    }
    // What nobody is there to hear is said when somebody is.
    if (this.#present.size === 0) this.#mouth?.mouth.hold();
  }

  /** Something that the user does, by this connection. */
  acts(connectionId: string): void {
    const who = this.#present.get(connectionId);
    if (who) this.#last = who;
  }

  hearing(connectionId: string): Hearing | undefined {
    const who = this.#present.get(connectionId);
    if (who && !this.isOver) who.hearing ??= this.#openHearing(who);
    return who?.hearing;
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
    for (const { hearing } of this.#present.values()) hearing?.configure(this.options);
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
    const characters = this.#spoken.get(itemId)?.mouth.heardBefore(audioEndMs) ?? 0;
    this.put({ type: 'truncated', itemId, audioEndMs, characters });
  }

  played(responseId: string, ms: number): void {
    if (this.#state.response?.id === responseId) this.#mouth?.mouth.played(ms);
  }

  /** Resolves when what was heard is written down, and nothing goes on any more. Where it goes on elsewhere, untold. */
  async end(isTold = true): Promise<void> {
    this.#isTold = isTold;
    if (!this.isOver) this.put({ type: 'ended' });
    this.#aside?.('');
    for (const { hearing } of this.#present.values()) hearing?.close();
    this.#mouth?.mouth.stop();
    await this.#writes;
  }

  #take(input: SessionInput): void {
    const { state, effects } = next(this.#state, input, this.#heard);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  get #heard(): number {
    const { response } = this.#state;
    return this.#mouth && this.#mouth.place.responseId === response?.id
      ? this.#mouth.mouth.heardCharacters
      : 0;
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
        this.#ask(effect.responseId, effect.question);
        break;
      case 'open mouth':
        this.#openMouth(effect.place, effect.voice);
        break;
      case 'say':
        this.#mouth?.mouth.say(effect.text);
        break;
      case 'say aside':
        this.#mouth?.mouth.sayAside(effect.text);
        break;
      case 'flush':
      case 'finish':
      case 'lower':
      case 'raise':
      case 'hold':
        this.#mouth?.mouth[effect.type]();
        break;
      case 'release':
        if (this.#present.size > 0) this.#mouth?.mouth.release();
        return;
      case 'hush':
        this.#mouth?.mouth.stop();
        break;
      case 'settle':
        this.#write(() => this.#settle(effect));
        break;
      case 'heard': {
        const spoken = this.#spoken.get(effect.itemId);
        if (!spoken) return;
        const characters = spoken.base + effect.characters;
        this.#write(() => this.#keepHeard(spoken.turnOf, characters, true));
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
        for (const { hearing } of this.#present.values()) hearing?.doing(effect.doing, effect.asked);
    }
  }

  get #whose(): Whose {
    const { correlationId } = this.#last;
    return { userId: this.userId, sessionId: this.sessionId, correlationId };
  }

  #tell(event: VoiceEvent): void {
    if (!this.#isTold) return;
    for (const { listener } of this.#present.values()) listener(event);
  }

  /** One after the other: a turn follows on what was heard of the one before. */
  #write(write: () => Promise<unknown>): void {
    this.#writes = this.#writes
      .then(write)
      .catch((error: unknown) => this.#parts.onFailure('voice session', error));
  }

  // What is heard

  #openHearing(who: Present): Hearing {
    const { ears, detector, interruptionMs, halfDuplex, pace } = this.#parts;
    const hearing = new Hearing({
      ...{ ears, detector, interruptionMs, halfDuplex, pace },
      options: this.options,
      onTurn: (output, said) => this.#hearTurn(who, hearing, output, said),
      onWords: (text) => {
        if (this.#speaker === who.connectionId) this.put({ type: 'understanding', text });
      },
      onPause: (text) => {
        if (this.#speaker === who.connectionId && this.#answersAll) this.#prepare(text);
      },
    });
    const { state } = this.#state;
    if (state !== 'idle') hearing.doing(state, false);
    return hearing;
  }

  /** Of several microphones in a room the first that notices speech is heard until that is over. */
  #hearTurn(who: Present, hearing: Hearing, output: HeardTurn, said: Utterance | undefined): void {
    // The reply may be loud again after the floor is free: that is no speech.
    if (output.type === 'raise' && this.#speaker === undefined) return void this.put({ type: 'raised' });
    if (!this.#isHeardFor(who.connectionId, output)) {
      said?.recognized.catch(() => undefined);
      return;
    }
    this.#speaker = who.connectionId;
    this.#measures.hear(output, (atMs) => hearing.since(atMs));
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
        this.#speaker = undefined;
        this.put({ type: 'dropped' });
        break;
      case 'utterance':
        this.#speaker = undefined;
        this.put({
          type: 'committed',
          said,
          answer: this.#answers ?? this.#answersAll,
          isAside: this.#aside !== undefined,
          deviceId: who.deviceId,
        });
    }
  }

  /** Who began to hear what another one is heard for is not heard for the same once more, when that is over. */
  #isHeardFor(connectionId: string, { type }: HeardTurn): boolean {
    const isTaken = this.#speaker !== undefined && this.#speaker !== connectionId;
    if (!isTaken && !this.#overhearing.has(connectionId)) return true;
    if (type === 'started' || type === 'lower') this.#overhearing.add(connectionId);
    if (type === 'utterance' || type === 'drop') this.#overhearing.delete(connectionId);
    return false;
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
      if (this.#state.utterance !== null && this.#speaker !== undefined) this.commit(this.#speaker);
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
    if (this.#keepsAudio && said) this.#keep({ role: 'user', rate: HEARING_RATE, pieces: said.samples });
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

  #ask(responseId: string, question: VoiceQuestion): void {
    this.#onActive();
    const begun = Promise.withResolvers<BegunTurn | undefined>();
    this.#turns.set(responseId, begun.promise);
    if (this.#turns.size > MOST_TURNS) forgetFirst(this.#turns);
    const { userId, sessionId } = this;
    const { correlationId } = this.#last;
    const [deviceId] = question.devices;
    const request = { ...requestOf(question, this.options), userId, sessionId, correlationId, deviceId };
    this.#write(async () => {
      if (this.isOver || this.#state.response?.id !== responseId) return begun.resolve(undefined);
      try {
        const handle = await this.#parts.turns.begin(request);
        begun.resolve(handle);
        this.#write(() => this.#keepSaid());
        void this.#listen(responseId, handle).catch((error: unknown) => {
          this.#parts.onFailure('voice turn', error);
          this.#fail(responseId, 'INTERNAL');
        });
      } catch (error) {
        begun.resolve(undefined);
        if (!isHarkError(error)) this.#parts.onFailure('voice turn', error);
        const reason = isHarkError(error) ? error.code : 'INTERNAL';
        this.#fail(responseId, reason);
      }
    });
  }

  async #listen(responseId: string, { transcript, ended }: BegunTurn): Promise<void> {
    const over = new AbortController();
    const { moment } = phrasesIn(this.options.language);
    for await (const signals of transcript.read(undefined, over.signal))
      for (const { signal } of signals) {
        if (signal.type === 'content') this.#measures.text();
        if (signal.type === 'content') this.put({ type: 'text', responseId, text: signal.content ?? '' });
        else if (signal.type === 'tool_start') {
          const filler = this.#parts.fills() ? moment : undefined;
          this.put({ type: 'working', responseId, filler });
        }
      }
    const ending = endingOf(await ended);
    if (ending.status === 'failed') this.#fail(responseId, ending.reason);
    else this.put({ type: 'written', responseId, ...ending });
  }

  #fail(responseId: string, reason: string | undefined): void {
    const { sorry } = phrasesIn(this.options.language);
    this.put({ type: 'written', responseId, status: 'failed', reason, calls: [], sorry });
  }

  async #settle({
    responseId,
    turnOf,
    cancels,
    characters,
  }: Extract<SessionEffect, { type: 'settle' }>): Promise<void> {
    try {
      const handle = await this.#turns.get(turnOf);
      if (handle && cancels) await this.#parts.turns.cancel(this.#whose, handle.turnId);
      if (handle) await handle.ended;
      await this.#keepSaid();
      if (characters !== null) await this.#keepHeard(turnOf, characters, true);
    } finally {
      // Also where none of that can be written: else nothing would be said in this session any more.
      this.put({ type: 'settled', responseId });
    }
  }

  async #keepHeard(turnOf: string, characters: number, isLast: boolean): Promise<void> {
    const handle = await this.#turns.get(turnOf);
    if (!handle) return;
    const { sessionId } = this;
    await this.#parts.turns.heard(this.#whose, { sessionId, turnId: handle.turnId, characters, isLast });
  }

  // What is kept

  #lookWhatIsKept(): void {
    const { keepsAudio, onFailure } = this.#parts;
    keepsAudio(this.userId).then(
      (keeps) => {
        this.#keepsAudio = keeps;
      },
      (error: unknown) => onFailure('voice session', error),
    );
  }

  #keep(said: SaidAudio): void {
    this.#said.push(said);
    if (this.#said.length > MOST_SAID) this.#said.shift();
  }

  /** What was said so far; what is being said is whole when it is settled. */
  async #keepSaid(): Promise<void> {
    const isSpeaking = this.#state.response !== null && !this.#state.response.ending;
    const whole = this.#said.filter(({ role }) => role === 'user' || !isSpeaking);
    this.#said = this.#said.filter((said) => !whole.includes(said));
    const { keepAudio, onFailure } = this.#parts;
    for (const said of whole)
      await keepAudio(this.#whose, said).catch((error: unknown) => onFailure('kept speech', error));
    this.#lookWhatIsKept();
  }

  // What is said

  #openMouth(place: OutputPlace, voice: string | undefined): void {
    const { mouth: speech, pace, statistics, onFailure } = this.#parts;
    const { speechRate: rate, speed, language } = this.options;
    const { responseId, itemId } = place;
    const { base = 0, turnOf = responseId } = this.#state.response ?? {};
    let isAudible = false;
    const pieces: Int16Array[] = [];
    if (this.#keepsAudio) this.#keep({ role: 'assistant', rate, pieces });
    const mouth = new Mouth({
      ...{ speech, pace, rate, voice, speed, language },
      onAudio: (samples, how) => {
        if (how.isFirst) this.put({ type: 'sounded', responseId });
        if (!isAudible && samples.some((sample) => Math.abs(sample) > AUDIBLE)) {
          isAudible = true;
          this.#measures.audible();
        }
        statistics.audioChunksOut += this.#present.size;
        if (this.#keepsAudio) pieces.push(samples);
        this.#tell({ type: 'audio', place, samples, ...how });
      },
      onWords: (delta, words) => {
        this.put({ type: 'spoken', responseId, delta, words });
        for (const { hearing } of this.#present.values()) hearing?.saying(delta);
      },
      onHeard: (characters) => this.#write(() => this.#keepHeard(turnOf, base + characters, false)),
      onDone: () => this.put({ type: 'played', responseId }),
      onFailure: (error) => {
        if (!isHarkError(error, 'TTS_UNAVAILABLE')) onFailure('speech', error);
      },
      onSentence: () => this.#measures.sentence(),
      onSynthesis: (ms) => {
        statistics.took('synthesis', ms);
        this.#tellStage('text_to_speech', ms, named.turn(turnOf));
      },
    });
    this.#mouth = { mouth, place, base };
    this.#spoken.set(itemId, { turnOf, base, mouth });
    if (this.#spoken.size > MOST_SPOKEN) forgetFirst(this.#spoken);
    if (this.#present.size === 0) mouth.hold();
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

function forgetFirst(map: Map<string, unknown>): void {
  for (const key of map.keys()) {
    map.delete(key);
    return;
  }
}
