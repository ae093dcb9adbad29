import { named } from '../../tracing/context.ts';
import type { ConversationItem, VoiceEvent, VoiceOptions } from './conversation.ts';
import type { Hearing } from './hearing.ts';
import { InputQueue } from './inputQueue.ts';
import { VoiceMeasures } from './measures.ts';
import type { Participant, Participants } from './participants.ts';
import { responseSoFar } from './responseItems.ts';
import { SessionEars } from './sessionEars.ts';
import { beginSession, next } from './sessionMachine.ts';
import { SessionMouth } from './sessionMouth.ts';
import type { SessionParts, Whose } from './sessionParts.ts';
import type { SessionEffect, SessionInput, VoiceSessionState } from './sessionState.ts';
import { SpeechKeeping } from './speechKeeping.ts';
import type { SpokenReplies } from './spokenReplies.ts';
import { SpokenTurns } from './spokenTurns.ts';
import { tellStage } from './tracedStages.ts';

interface SessionOptions extends Whose {
  /** The device that opens it. */
  readonly deviceId: string | undefined;
  readonly initial: VoiceOptions;
  /** Something was said in it, by either side. */
  readonly onActive: () => void;
}

/** A session at work: what comes next says the machine, and here it is done. It outlives its connections. */
export class Session {
  readonly userId: string;
  readonly sessionId: string;
  readonly #parts: SessionParts;
  readonly #onActive: () => void;
  readonly #ears: SessionEars;
  readonly #mouth: SessionMouth;
  readonly #turns: SpokenTurns;
  readonly #keeping: SpeechKeeping;
  readonly #inputs: InputQueue;
  #state: VoiceSessionState;
  #isTold = true;
  /** Whoever spoke or asked last: what is done now is done for them. */
  #last: Pick<Participant, 'correlationId'>;
  #writes: Promise<unknown> = Promise.resolve();

  constructor({ initial, deviceId, onActive, ...whose }: SessionOptions, parts: SessionParts) {
    this.#onActive = onActive;
    this.userId = whose.userId;
    this.sessionId = whose.sessionId;
    this.#last = { correlationId: whose.correlationId };
    this.#parts = parts;
    this.#state = beginSession(parts.newId().replaceAll('-', '').slice(0, 12), initial, deviceId);
    const { onFailure } = parts;
    this.#inputs = new InputQueue((input) => this.#take(input), onFailure);
    const measures = new VoiceMeasures(parts);
    this.#keeping = new SpeechKeeping({
      isWanted: () => parts.keepsAudio(this.userId),
      keep: (said) => parts.keepAudio(this.#whose, said),
      onFailure,
    });
    const shared = {
      ...{ parts, measures, keeping: this.#keeping },
      now: () => this.#state,
      put: (input: SessionInput) => this.put(input),
      tell: (event: VoiceEvent) => this.#tell(event),
    };
    this.#ears = new SessionEars({
      ...shared,
      userId: this.userId,
      onSpeaker: (who) => {
        this.#last = who;
      },
      onRecognised: (ms) => tellStage('speech_to_text', ms, this.#whose),
    });
    this.#mouth = new SessionMouth({
      ...shared,
      participants: this.#participants,
      onHeard: ({ turnOf }, characters) => this.#write(() => this.#turns.heard(turnOf, characters, false)),
      onSynthesised: ({ turnOf }, ms) => tellStage('text_to_speech', ms, this.#whose, named.turn(turnOf)),
    });
    this.#turns = new SpokenTurns({
      ...{ turns: parts.turns, fills: parts.fills, onFailure },
      whose: () => this.#whose,
      options: () => this.options,
      isWanted: (responseId) => !this.isOver && this.#state.response?.id === responseId,
      write: (write) => this.#write(write),
      put: (input) => this.put(input),
      onText: () => measures.text(),
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
    this.#mouth.look(this.userId);
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
    this.#inputs.put(input);
  }

  /** The client says that the utterance is over, and maybe that it is to be answered. */
  commit(connectionId: string, answer?: boolean): void {
    this.#ears.commit(connectionId, answer);
  }

  /** What is said from now on, for so long at most: it answers whoever asks, and begins no turn. */
  listen(durationMs: number, signal: AbortSignal): Promise<string> {
    return this.#ears.listen(durationMs, signal);
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

  /** What was said up to now is erased. */
  forget(): void {
    this.#keeping.forget();
  }

  /** Resolves when what was heard is written down, and nothing goes on any more. Where it goes on elsewhere, untold. */
  async end(isTold = true): Promise<void> {
    this.#isTold = isTold;
    if (!this.isOver) this.put({ type: 'ended' });
    this.#ears.close();
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
        return void this.#ears.recognise(effect.itemId, effect.said);
      case 'ask':
        this.#onActive();
        this.#turns.ask(effect.responseId, effect.question);
        break;
      case 'open mouth':
        this.#mouth.open(effect.place, effect.voice);
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

  get #participants(): Participants {
    return this.#ears.participants;
  }

  get #replies(): SpokenReplies {
    return this.#mouth.replies;
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

  #keepSaid(): Promise<void> {
    return this.#keeping.write(this.#state.response !== null && !this.#state.response.ending);
  }
}
