import type { DependencyState } from '../application/system/dependencies.ts';
import type { VoiceOptions } from '../application/voice/conversation.ts';
import type { VoicePart, VoicePipeline } from '../application/voice/pipeline.ts';
import type { SpeechIntoWords, WakeWords, WordsIntoSpeech } from '../application/voice/speech.ts';
import type { Config } from '../config.ts';
import { HarkError } from '../errors.ts';
import type { ProviderClients } from '../gateways/models/clients.ts';
import type { HearingEngine, SpeakingEngine } from '../gateways/speech/engine.ts';
import { KeptRecognition } from '../gateways/speech/hearing.ts';
import { speakWith } from '../gateways/speech/speaking.ts';
import type { SpeechEngines } from '../gateways/speech/speechEngines.ts';
import { KeptSpotting } from '../gateways/speech/spotting.ts';
import type { SpottingEngine } from '../gateways/speech/spottingEngine.ts';
import type { HealthRegistry } from '../interfaces/healthRegistry.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import type { SpeechModels } from './speechModels.ts';

interface SpeechOptions {
  readonly clients: Pick<ProviderClients, 'clientFor'>;
  /** Models that can be opened. */
  readonly models: Pick<SpeechModels, 'installed' | 'onChange' | 'onLetGo'>;
  readonly config: Config;
  readonly settings: Pick<RuntimeSettings, 'value'>;
}

type Engine = HearingEngine | SpeakingEngine;

interface SpeechCatalog {
  readonly stt: readonly Named[];
  readonly voices: readonly Named[];
  readonly wakeWords: readonly string[];
}

interface Named {
  readonly name: string;
  readonly languages?: readonly string[] | undefined;
}

/** The wiring of what hears and speaks. What does it loads when it is first asked, and works in processes of its own. */
export class Speech {
  readonly #options: SpeechOptions;
  readonly ears: SpeechIntoWords;
  readonly mouth: WordsIntoSpeech;
  readonly wakeWords: WakeWords;
  #loading: Promise<SpeechEngines> | undefined;

  constructor(options: SpeechOptions) {
    this.#options = options;
    const hearing = async (language?: string) => (await this.#engines()).hearing(language);
    this.ears = {
      isAvailable: async () => (await hearing()).some(isUsable),
      begin: (asked) => new KeptRecognition(() => hearing(asked.language), asked),
    };
    this.mouth = {
      isAvailable: async () => (await this.#speaking()).some(isUsable),
      speak: (text, asked) => this.#speak(text, asked),
    };
    this.wakeWords = {
      phrases: () => this.#phrases(),
      begin: ({ phrases, onDetected }) =>
        new KeptSpotting({ find: () => this.#waitingFor(phrases), onDetected }),
    };
  }

  /** These of the phrases; all where none is named. */
  async #waitingFor(phrases: readonly string[]) {
    const waiting = await (await this.#engines()).waiting();
    const isWanted = ({ phrase }: { readonly phrase: string }) =>
      phrases.length === 0 || phrases.includes(phrase);
    const keywords = waiting?.keywords.filter(isWanted) ?? [];
    return waiting && keywords.length > 0 ? { engine: waiting.engine, keywords } : undefined;
  }

  async #phrases(): Promise<readonly string[]> {
    const waiting = await (await this.#engines()).waiting();
    return waiting?.keywords.map(({ phrase }) => phrase) ?? [];
  }

  /** What would be asked begins to load. It tells of no failure: whoever asks is told. */
  async prepare({ voice, language }: Pick<VoiceOptions, 'voice' | 'language'>): Promise<void> {
    try {
      const engines = await this.#engines();
      const asked = await Promise.all([engines.hearing(language), engines.speaking(voice, language)]);
      await Promise.all(asked.map((all) => all.find(isUsable)?.prepare()));
    } catch {
      // Health says what is wrong with it.
    }
  }

  /** Whom it would ask now; null for what there is not. */
  async status(): Promise<Omit<VoicePipeline, 'vad'>> {
    const [hearing, speaking, engines] = await Promise.all([
      this.#hearing(),
      this.#speaking(),
      this.#engines(),
    ]);
    return { stt: partOf(hearing), tts: partOf(speaking), wake: wakePartOf(await engines.waiting()) };
  }

  /** All that can be used, the best first: by their names, and in which languages; undefined for all that there are. */
  async catalog(): Promise<SpeechCatalog> {
    const [hearing, speaking] = await Promise.all([this.#hearing(), this.#speaking()]);
    return {
      stt: hearing.filter(isUsable).map(({ id: name, languages }) => ({ name, languages })),
      voices: speaking
        .filter(isUsable)
        .flatMap(({ voices, languages }) => voices.map((name) => ({ name, languages }))),
      wakeWords: await this.#phrases(),
    };
  }

  /** What hears, speaks or waits for words by this name: of a model, or its own. */
  async engineOf(id: string): Promise<Engine | SpottingEngine | undefined> {
    const engines = await this.#engines();
    const [hearing, speaking] = await Promise.all([engines.hearing(), engines.speaking()]);
    return [...hearing, ...speaking].find((engine) => engine.id === id) ?? engines.waitingBy(id);
  }

  registerChecks(health: HealthRegistry): void {
    health.register('stt-local', async () => found(await this.#hearing(), NOTHING_HEARS));
    health.register('tts-local', async () => found(await this.#speaking(), NOTHING_SPEAKS));
  }

  async lookAtHearing(): Promise<DependencyState> {
    return dependencyOf(await this.#hearing(), NOTHING_HEARS);
  }

  async lookAtSpeaking(): Promise<DependencyState> {
    return dependencyOf(await this.#speaking(), NOTHING_SPEAKS);
  }

  async stop(): Promise<void> {
    const engines = await this.#loading?.catch(() => undefined);
    await engines?.stop();
  }

  async *#speak(...[text, options]: Parameters<WordsIntoSpeech['speak']>): ReturnType<typeof speakWith> {
    const engines = await this.#engines();
    const asked = await engines.speaking(options.voice, options.language);
    yield* speakWith(asked, text, { ...options, voice: engines.voiceOf(options.voice) });
  }

  async #hearing(): Promise<readonly HearingEngine[]> {
    return (await this.#engines()).hearing();
  }

  async #speaking(): Promise<readonly SpeakingEngine[]> {
    return (await this.#engines()).speaking();
  }

  #engines(): Promise<SpeechEngines> {
    this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #load(): Promise<SpeechEngines> {
    const { config, settings, models, clients } = this.#options;
    const { SpeechEngines } = await import('../gateways/speech/speechEngines.ts');
    const engines = new SpeechEngines({
      clients,
      installed: () => models.installed(),
      grammar: config.SERVICE_VOICE_GRAMMAR,
      wanted: () => ({
        stt: String(settings.value('voiceSttModel')),
        tts: String(settings.value('voiceTtsModel')),
        voice: String(settings.value('voiceTtsVoice')),
        wakePhrases: String(settings.value('voiceWakePhrases')),
      }),
    });
    models.onChange(() => engines.changed());
    models.onLetGo(({ id }) => engines.letGo(id));
    return engines;
  }
}

const NOTHING_HEARS =
  'Nothing understands speech: download a model (hark models), install pocketsphinx, or set a key of cloud-b';
const NOTHING_SPEAKS =
  'Nothing speaks: see voiceTtsModel, and whether hark was installed without optional packages';

function isUsable({ broken }: Engine): boolean {
  return broken === undefined;
}

function isLocal({ engine }: Engine): boolean {
  return engine !== 'cloud-b';
}

/** The one that is asked, with why another one that was to be is not. */
function partOf(engines: readonly Engine[]): VoicePart | null {
  const [first] = engines;
  if (!first) return null;
  const used = engines.find(isUsable);
  const { engine, id, model = id === engine ? null : id } = used ?? first;
  const status = used ? 'ready' : 'failed';
  const note = first.lastFailure === undefined ? undefined : failureOf(first);
  return { engine, model, status, note };
}

function wakePartOf(waiting: Awaited<ReturnType<SpeechEngines['waiting']>>): VoicePart | null {
  if (!waiting) return null;
  const { engine, keywords } = waiting;
  const unheard = keywords.length === 0 ? `${engine.id} can hear no phrase of voiceWakePhrases` : undefined;
  const isFailed = unheard !== undefined || engine.broken !== undefined;
  const note = unheard ?? (engine.lastFailure === undefined ? undefined : failureOf(engine));
  return { engine: engine.engine, model: engine.id, status: isFailed ? 'failed' : 'ready', note };
}

function failureOf({ id, lastFailure }: Pick<Engine, 'id' | 'lastFailure'>): string {
  return `${id} failed: ${lastFailure}`;
}

/** Of those on this machine: a remark, or the failure of the one that should work. */
function found(engines: readonly Engine[], without: string) {
  const local = engines.filter(isLocal);
  const [first] = local;
  if (!first) return { status: 'off' as const, note: without };
  if (first.lastFailure === undefined) return first.id;
  const other = local.find(isUsable);
  const meanwhile = other && other !== first ? `; ${other.id} stands in` : '';
  throw new HarkError('CHECK_FAILED', { message: `${failureOf(first)}${meanwhile}` });
}

function dependencyOf(engines: readonly Engine[], without: string): DependencyState {
  const [first] = engines;
  if (!first) return { status: 'optional', hint: without };
  const version = first.id;
  if (first.lastFailure !== undefined) return { status: 'stopped', version, hint: failureOf(first) };
  return { status: 'ready', version };
}
