import { HarkError, isHarkError } from '../../errors.ts';
import type { VoiceEvent } from './conversation.ts';
import type { HeardTurn, Utterance } from './hearing.ts';
import type { VoiceMeasures } from './measures.ts';
import { type Participant, Participants } from './participants.ts';
import type { SessionParts } from './sessionParts.ts';
import type { SessionInput, VoiceSessionState } from './sessionState.ts';
import { HEARING_RATE, type Recognized } from './speech.ts';
import type { SpeechKeeping } from './speechKeeping.ts';

interface EarsOptions {
  readonly parts: SessionParts;
  readonly userId: string;
  readonly measures: VoiceMeasures;
  readonly keeping: SpeechKeeping;
  /** The session as it is now. */
  readonly now: () => VoiceSessionState;
  readonly put: (input: SessionInput) => void;
  readonly tell: (event: VoiceEvent) => void;
  /** What is done from now on is done for them. */
  readonly onSpeaker: (who: Participant) => void;
  readonly onRecognised: (ms: number) => void;
}

/** What a session hears of those who are in it: turns that begin and end, and the words of each utterance. */
export class SessionEars {
  readonly participants: Participants;
  readonly #options: EarsOptions;
  /** Of the utterance that a client commits. */
  #answers: boolean | undefined;
  /** Somebody listens to what is said next. */
  #aside: ((text: string) => void) | undefined;
  #isPreparing = false;

  constructor(options: EarsOptions) {
    this.#options = options;
    const { parts, now, put } = options;
    this.participants = new Participants({
      ...parts,
      now: () => (now().isOver ? undefined : now()),
      onRaise: () => put({ type: 'raised' }),
      onTurn: (who, output, said, agoMs) => this.#hearTurn(who, output, said, agoMs),
      onWords: (text) => put({ type: 'understanding', text }),
      onPause: (text) => this.#answersAll && this.#prepare(text),
    });
  }

  /** The client says that the utterance is over, and maybe that it is to be answered. */
  commit(connectionId: string, answer?: boolean): void {
    this.#answers = answer;
    this.participants.hearing(connectionId)?.commit();
    this.#answers = undefined;
  }

  /** What is said from now on, for so long at most: it answers whoever asks, and begins no turn. */
  async listen(durationMs: number, signal: AbortSignal): Promise<string> {
    if (this.#aside) throw new HarkError('VOICE_SESSION_BUSY');
    const { parts, now, tell } = this.#options;
    const heard = Promise.withResolvers<string>();
    this.#aside = heard.resolve;
    tell({ type: 'state', state: 'listening' });
    const stop = () => {
      // Who is in the middle of a word is understood so far.
      const { speaker } = this.participants;
      if (now().utterance !== null && speaker !== undefined) this.commit(speaker);
      else if (!now().recognising.some(({ isAside }) => isAside)) heard.resolve('');
    };
    const cancel = parts.pace.after(durationMs, stop);
    const leave = () => heard.resolve('');
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    const text = await heard.promise;
    signal.removeEventListener('abort', leave);
    cancel();
    this.#aside = undefined;
    tell({ type: 'state', state: now().state });
    return text;
  }

  async recognise(itemId: string, said: Utterance | undefined): Promise<void> {
    const { parts, measures, keeping, now, put, onRecognised } = this.#options;
    if (said) keeping.add({ role: 'user', rate: HEARING_RATE, pieces: said.samples });
    const recognized = said?.recognized ?? Promise.resolve<Recognized>({ text: '', words: [] });
    const isAside = now().recognising.find((one) => one.itemId === itemId)?.isAside;
    const aside = isAside ? this.#aside : undefined;
    const askedMs = performance.now();
    try {
      const words = await recognized;
      measures.recognized(words.text);
      onRecognised(performance.now() - askedMs);
      put({ type: 'recognized', itemId, ...words });
      aside?.(words.text);
    } catch (error) {
      aside?.('');
      const known = isHarkError(error);
      if (!known) parts.onFailure('speech recognition', error);
      const code = known ? error.code : 'STT_UNAVAILABLE';
      const message = known ? error.message : 'Speech was not understood';
      put({ type: 'unrecognized', itemId, code, message });
    }
  }

  close(): void {
    this.#aside?.('');
    this.participants.close();
  }

  #hearTurn(
    who: Participant,
    output: HeardTurn,
    said: Utterance | undefined,
    agoMs: (atMs: number) => number,
  ): void {
    const { measures, put, onSpeaker } = this.#options;
    measures.hear(output, agoMs);
    onSpeaker(who);
    switch (output.type) {
      case 'started':
      case 'stopped':
        put(output);
        break;
      case 'lower':
        put({ type: 'lowered' });
        break;
      case 'raise':
        put({ type: 'raised' });
        break;
      case 'interrupt':
        put({ type: 'interrupted' });
        break;
      case 'drop':
        put({ type: 'dropped' });
        break;
      case 'utterance':
        put({
          type: 'committed',
          said,
          answer: this.#answers ?? this.#answersAll,
          isAside: this.#aside !== undefined,
          deviceId: who.deviceId,
        });
    }
  }

  get #answersAll(): boolean {
    return this.#options.now().options.detection?.createResponse ?? false;
  }

  /** One after the other: whoever stammers asks for no more than that. */
  #prepare(text: string): void {
    if (this.#isPreparing || this.#aside) return;
    const { parts, userId } = this.#options;
    this.#isPreparing = true;
    void parts.prepareTurn(userId, text).finally(() => {
      this.#isPreparing = false;
    });
  }
}
