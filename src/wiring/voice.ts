import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { OpenVoiceSessions } from '../application/voice/openSessions.ts';
import type { VoicePipeline } from '../application/voice/pipeline.ts';
import type { Rooms } from '../application/voice/rooms.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { sessionEnded } from '../events/chat.ts';
import { memoryErased } from '../events/memory.ts';
import { replySent } from '../events/turnEndings.ts';
import { messageReceived } from '../events/turns.ts';
import { type UserPreferences, usualPreferences } from '../folds/settings/preferences.ts';
import type { VoiceActivity } from '../gateways/voiceActivity/voiceActivity.ts';
import { AudioFolder } from '../gateways/voiceAudio/audioFolder.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation, ToolOperation } from '../interfaces/operation.ts';
import { voiceOperations } from '../interfaces/operations/voice.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import { voiceTools } from '../interfaces/tools/voice.ts';
import { preferences } from '../projections/settings/preferences.ts';
import type { AnySaga } from '../sagas/saga.ts';
import type { VoiceStatistics } from '../voiceStatistics.ts';
import type { Chat } from './chat.ts';
import type { Speech } from './speech.ts';
import type { Topics } from './topics.ts';

interface WiringOptions {
  readonly settings: Pick<RuntimeSettings, 'number' | 'value'>;
  readonly topics: Topics;
  readonly voiceStatistics: VoiceStatistics;
  readonly voiceSessions: OpenVoiceSessions;
  readonly speech: Pick<Speech, 'ears' | 'mouth' | 'status' | 'prepare'>;
  readonly chat: Pick<Chat, 'turns' | 'isOpen' | 'endSession' | 'note' | 'prepareTurn' | 'keepAudioKey'>;
  readonly config: Pick<Config, 'SERVICE_DATA_DIR'>;
  readonly kvstore: Pick<Kvstore, 'current'>;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of conversations by voice. Nothing of it is loaded before somebody speaks. */
export class Voice {
  readonly #options: WiringOptions;
  #rooms: Promise<Rooms> | undefined;
  #detector: VoiceActivity | undefined;
  readonly #audio: AudioFolder;

  constructor(options: WiringOptions) {
    this.#options = options;
    this.#audio = new AudioFolder(join(options.config.SERVICE_DATA_DIR, 'voice'));
  }

  async sagas(): Promise<readonly AnySaga[]> {
    const { forgetVoiceAudio } = await import('../sagas/voice/forgetAudio.ts');
    return [forgetVoiceAudio(this.#audio)];
  }

  async #preferencesOf(userId: string): Promise<UserPreferences> {
    const { current } = this.#options.kvstore;
    return current ? (await current.views.of(preferences, userId)).effective : usualPreferences;
  }

  rooms(): Promise<Rooms> {
    this.#rooms ??= this.#open().catch((error) => {
      this.#rooms = undefined;
      throw error;
    });
    return this.#rooms;
  }

  operations(): readonly AnyOperation[] {
    const { voiceSessions: sessions, voiceStatistics: statistics, clock } = this.#options;
    return voiceOperations({ sessions, pipeline: () => this.#pipeline(), statistics, clock });
  }

  tools(): readonly ToolOperation[] {
    const { ears, mouth } = this.#options.speech;
    return voiceTools({ ears, mouth, rooms: () => this.rooms() });
  }

  /** Before a session of chat is ended: true where it is one by voice. */
  async leaveOff(userId: string, sessionId: string): Promise<boolean> {
    return (await this.#rooms)?.leaveOff(userId, sessionId) ?? false;
  }

  async stop(): Promise<void> {
    const rooms = await this.#rooms?.catch(() => undefined);
    await rooms?.stop();
    await this.#detector?.stop();
  }

  async #pipeline(): Promise<VoicePipeline> {
    const isLost = this.#detector?.status === 'failed';
    const note = isLost ? { note: 'Loudness decides until it is back' } : {};
    const vad = {
      engine: 'silero',
      model: 'silero-vad',
      status: isLost ? 'failed' : 'ready',
      ...note,
    } as const;
    return { ...(await this.#options.speech.status()), vad };
  }

  async #open(): Promise<Rooms> {
    const [{ Rooms }, { keepAudio }, { VoiceActivity }] = await Promise.all([
      import('../application/voice/rooms.ts'),
      import('../application/voice/keptAudio.ts'),
      import('../gateways/voiceActivity/voiceActivity.ts'),
    ]);
    const { settings, topics, voiceSessions, voiceStatistics, speech, chat, onFailure } = this.#options;
    const detector =
      this.#detector ?? new VoiceActivity({ onNews: (message) => onFailure(message, undefined) });
    this.#detector = detector;
    const keeping = {
      keepKey: chat.keepAudioKey.bind(chat),
      files: this.#audio,
      newId: randomUUID,
    };
    const rooms = new Rooms({
      ears: speech.ears,
      mouth: speech.mouth,
      turns: chat.turns,
      detector,
      statistics: voiceStatistics,
      pace: {
        now: () => performance.now(),
        after: (ms, run) => {
          const timer = setTimeout(run, ms).unref();
          return () => clearTimeout(timer);
        },
      },
      newId: randomUUID,
      interruptionMs: () => settings.number('voiceInterruptionMs'),
      halfDuplex: () => settings.value('voiceHalfDuplex') === true,
      fills: () => settings.value('voiceFiller') === true,
      voiceOf: async (userId) => (await this.#preferencesOf(userId)).voice,
      keepsAudio: async (userId) => (await this.#preferencesOf(userId)).storeAudio,
      keepAudio: (whose, said) => keepAudio(keeping, whose, said),
      note: (whose, text) => chat.note(whose, text),
      prepareTurn: (userId, text) => chat.prepareTurn(userId, text),
      prepare: (options) => {
        void speech.prepare(options);
        // It loads with the first, and stays for a while after the last.
        if (options.detection) detector.open(() => undefined).close();
      },
      sessions: voiceSessions,
      isOpen: (userId, sessionId) => chat.isOpen(userId, sessionId),
      endSession: (whose, sessionId) => chat.endSession(whose, sessionId),
      idleMs: () => settings.number('sessionIdleMinutes') * 60_000,
      onFailure,
    });
    topics.on(sessionEnded, ({ sessionId }, { owner }) => void rooms.leaveOff(owner, sessionId));
    topics.on(memoryErased, (_data, { owner }) => rooms.leaveAllOf(owner));
    // A reminder is an exchange that is over when it begins.
    let reminder: string | undefined;
    topics.on(messageReceived, ({ turnId, sessionId, platform, origin, text }, { owner }) => {
      if (platform === 'schedule' && text === '') reminder = turnId;
      if (platform !== 'voice' && origin === 'user' && sessionId !== null)
        rooms.noteWriting(owner, sessionId);
    });
    topics.on(replySent, ({ turnId, sessionId, parts }, { owner }) => {
      if (turnId !== reminder || sessionId === null) return;
      const text = parts.map((part) => part.text ?? '').join('');
      if (voiceSessions.of(owner).some(({ id }) => id === sessionId)) rooms.speak(owner, { text, sessionId });
    });
    return rooms;
  }
}
