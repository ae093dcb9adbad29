import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  DEFAULT_DETECTION,
  type VoiceConnection,
  type VoiceEvent,
  type VoiceOptions,
} from '../../../src/application/voice/conversation.ts';
import type { SaidAudio } from '../../../src/application/voice/keptAudio.ts';
import { OpenVoiceSessions } from '../../../src/application/voice/openSessions.ts';
import type { SpeechPace } from '../../../src/application/voice/pacedSpeech.ts';
import { Rooms } from '../../../src/application/voice/rooms.ts';
import {
  HEARING_RATE,
  type SpeechDetector,
  type SpeechIntoWords,
  type WordsIntoSpeech,
} from '../../../src/application/voice/speech.ts';
import { remind } from '../../../src/commands/chat/remind.ts';
import { endSession } from '../../../src/commands/chat/turns.ts';
import { HarkError } from '../../../src/errors.ts';
import { chatStream } from '../../../src/events/chat.ts';
import { type HistoryMessage, historyOf } from '../../../src/projections/chat/conversation.ts';
import { openSessions } from '../../../src/projections/chat/openSessions.ts';
import { VoiceStatistics } from '../../../src/voiceStatistics.ts';
import { SharedStore } from '../../support/sharedStore.ts';
import { ChatProcess, type Speech } from '../chat/process.ts';

/** Time that goes by when a test says so; what is at work between two moments comes to rest first. */
export class VirtualPace implements SpeechPace {
  #now = 0;
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  readonly now = () => this.#now;

  readonly after = (ms: number, run: () => void) => {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  get waiting(): number {
    return this.#timers.length;
  }

  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await rest();
      const next = this.#timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.#now = Math.max(this.#now, next.at);
      this.#timers = this.#timers.filter((one) => one !== next);
      next.run();
    }
    this.#now = until;
    await rest();
  }
}

/** What needs no time has been done. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await nextTurn();
}

/** Speech of a test: a word is a run of one value. */
const vocabulary: string[] = [];
const WORD_MS = 300;

function numberOf(word: string): number {
  const known = vocabulary.indexOf(word);
  return known === -1 ? vocabulary.push(word) : known + 1;
}

/** So many milliseconds of speech that has no words, or of silence. */
export function noise(ms: number, value = -1): Int16Array {
  return new Int16Array((ms * HEARING_RATE) / 1_000).fill(value);
}

export const silence = (ms: number) => noise(ms, 0);

export function spoken(text: string): Int16Array {
  const words = text.split(' ');
  const samples = new Int16Array((words.length * WORD_MS * HEARING_RATE) / 1_000);
  const length = samples.length / words.length;
  for (const [index, word] of words.entries())
    samples.fill(numberOf(word), index * length, (index + 1) * length - 400);
  return samples;
}

class TestEars implements SpeechIntoWords {
  isBroken = false;
  /** Whether it understands while it hears. */
  isStreaming = false;
  begun = 0;
  cancelled = 0;

  isAvailable = () => Promise.resolve(true);

  begin({ onWords }: Parameters<SpeechIntoWords['begin']>[0]): ReturnType<SpeechIntoWords['begin']> {
    this.begun++;
    const heard: Int16Array[] = [];
    return {
      hear: (samples) => {
        heard.push(samples);
        if (this.isStreaming) onWords?.(wordsIn(heard).join(' '));
      },
      end: async () => {
        if (this.isBroken) throw new HarkError('STT_UNAVAILABLE');
        const words = wordsIn(heard);
        const timed = words.map((word, index) => ({
          word,
          start: (index * WORD_MS) / 1_000,
          end: ((index + 1) * WORD_MS) / 1_000,
          confidence: 1,
        }));
        return { text: words.join(' '), words: timed };
      },
      cancel: () => {
        this.cancelled++;
      },
    };
  }
}

function wordsIn(heard: readonly Int16Array[]): readonly string[] {
  const words: string[] = [];
  let last = 0;
  for (const samples of heard)
    for (const sample of samples) {
      const word = sample > 0 && sample !== last ? vocabulary[sample - 1] : undefined;
      if (word) words.push(word);
      last = sample;
    }
  return words;
}

/** Says a word in 200 ms. */
export class TestMouth implements WordsIntoSpeech {
  readonly said: string[] = [];
  readonly voices: (string | undefined)[] = [];
  failing = '';
  running = 0;

  isAvailable = () => Promise.resolve(true);

  async *speak(text: string, { rate, voice, signal }: Parameters<WordsIntoSpeech['speak']>[1]) {
    this.voices.push(voice);
    this.running++;
    try {
      await nextTurn();
      if (this.failing !== '' && text.includes(this.failing)) throw new HarkError('TTS_UNAVAILABLE');
      if (signal.aborted) return;
      this.said.push(text);
      const words = text.split(' ');
      const timed = words.map((word, index) => ({
        word,
        start: index * 0.2,
        end: (index + 1) * 0.2,
        confidence: 1,
      }));
      yield { samples: new Int16Array((words.length * rate) / 5).fill(1_000), words: timed };
    } finally {
      this.running--;
    }
  }
}

class TestDetector implements SpeechDetector {
  open(onProbability: (probability: number) => void): ReturnType<SpeechDetector['open']> {
    return {
      hear: (window) =>
        onProbability(window.filter((sample) => sample !== 0).length > window.length / 2 ? 0.99 : 0.01),
      close: () => undefined,
    };
  }
}

export const pushToTalk: VoiceOptions = {
  detection: null,
  modality: 'audio',
  tools: [],
  toolChoice: 'auto',
  speechRate: 16_000,
};

export const handsFree: VoiceOptions = {
  ...pushToTalk,
  detection: DEFAULT_DETECTION,
};

/** A process in which one can speak with hark, on a log that others may share. */
export class TestRooms {
  readonly pace = new VirtualPace();
  readonly statistics = new VoiceStatistics(() => 0);
  readonly ears = new TestEars();
  readonly mouth = new TestMouth();
  readonly sessions = new OpenVoiceSessions(() => this.pace.now());
  readonly rooms: Rooms;
  readonly chat: ChatProcess;
  readonly failures: unknown[] = [];
  isFilling = false;
  isKeeping = false;
  preferredVoice = 'default';
  /** The disk on which it is kept. */
  isFull = false;
  readonly kept: SaidAudio[] = [];
  readonly prepared: string[] = [];
  readonly warmed: VoiceOptions[] = [];
  #made = 0;

  static async start(speech: Speech, store = new SharedStore().hold()): Promise<TestRooms> {
    return new TestRooms(await ChatProcess.start(store, { speech }));
  }

  private constructor(chat: ChatProcess) {
    this.chat = chat;
    const { turns, context } = chat;
    const { runner, views, instanceId } = context;
    const isOpen = (userId: string, sessionId: string) =>
      views.view(openSessions).byStream[chatStream(userId, { sessionId, turnId: '' })] !== undefined;
    this.rooms = new Rooms({
      turns,
      ears: this.ears,
      mouth: this.mouth,
      detector: new TestDetector(),
      statistics: this.statistics,
      pace: this.pace,
      newId: () => `id-${++this.#made}-${Math.random().toString(36).slice(2)}`,
      interruptionMs: () => 250,
      halfDuplex: () => false,
      fills: () => this.isFilling,
      voiceOf: async () => this.preferredVoice,
      keepsAudio: async () => this.isKeeping,
      keepAudio: async (_whose, said) => {
        if (this.isFull) throw new HarkError('INTERNAL');
        this.kept.push(said);
      },
      prepareTurn: async (userId, text) => void this.prepared.push(`${userId}: ${text}`),
      note: async ({ sessionId, ...whose }, text) => {
        const from = { platform: 'voice', origin: 'import', source: 'voice' } as const;
        await runner.run(
          remind,
          { turnId: `note-${++this.#made}`, sessionId, ...from, text, instanceId },
          whose,
        );
      },
      sessions: this.sessions,
      prepare: (options) => void this.warmed.push(options),
      isOpen,
      endSession: async (whose, sessionId) => {
        if (isOpen(whose.userId, sessionId)) await runner.run(endSession, { sessionId }, whose);
      },
      idleMs: () => 30 * 60_000,
      onFailure: (_what, error) => this.failures.push(error),
    });
  }

  enter(initial: VoiceOptions = pushToTalk, sessionId?: string, deviceId?: string): Visitor {
    return new Visitor(this, initial, sessionId, deviceId);
  }

  async history(sessionId: string): Promise<readonly HistoryMessage[]> {
    return historyOf({ exchanges: await this.chat.turns.exchanges('ann', sessionId) });
  }
}

type Told<Type extends VoiceEvent['type']> = Extract<VoiceEvent, { type: Type }>;

/** Somebody who speaks with hark. */
export class Visitor {
  readonly told: VoiceEvent[] = [];
  readonly connection: VoiceConnection;
  readonly #rooms: TestRooms;
  static #made = 0;

  constructor(
    rooms: TestRooms,
    initial: VoiceOptions,
    sessionId: string | undefined,
    deviceId: string | undefined,
  ) {
    this.#rooms = rooms;
    const connection = rooms.rooms.connect(
      { userId: 'ann', correlationId: 'cause', deviceId },
      {
        connectionId: `connection-${++Visitor.#made}`,
        sessionId,
        initial,
        listener: (event) => void this.told.push(event),
      },
    );
    if (!connection) throw new HarkError('SESSION_UNKNOWN');
    this.connection = connection;
  }

  get talk() {
    return this.connection.conversation;
  }

  /** At the pace of time, in frames of 20 ms. */
  async hear(...sounds: readonly Int16Array[]): Promise<void> {
    const frame = HEARING_RATE / 50;
    for (const samples of sounds)
      for (let at = 0; at < samples.length; at += frame) {
        this.talk.hear(samples.subarray(at, at + frame));
        await this.#rooms.pace.pass(20);
      }
  }

  /** Says it, lets go of the button, and waits. */
  async say(text: string, ms = 0): Promise<void> {
    this.talk.hear(spoken(text));
    this.talk.commit(true);
    await this.#rooms.pace.pass(ms);
  }

  /** Words of the user as clients add them up. */
  get understood(): string {
    return this.all('transcript_delta')
      .map(({ delta }) => delta)
      .join('');
  }

  all<Type extends VoiceEvent['type']>(type: Type): readonly Told<Type>[] {
    return this.told.filter((event): event is Told<Type> => event.type === type);
  }

  last<Type extends VoiceEvent['type']>(type: Type): Told<Type> {
    const last = this.all(type).at(-1);
    if (!last) throw new TypeError(`No ${type} was told`);
    return last;
  }

  /** Milliseconds of speech that came. */
  get audioMs(): number {
    return this.all('audio').reduce((sum, { samples }) => sum + samples.length / 16, 0);
  }

  get words(): string {
    return this.all('speech_words')
      .map(({ delta }) => delta)
      .join('');
  }
}
