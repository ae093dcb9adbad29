import { AUTO, inOrder } from './choice.ts';
import type { HearingEngine, SpeakingEngine } from './engine.ts';
import { FLITE_VOICES } from './fliteVoices.ts';
import { findPocketsphinx, Pocketsphinx } from './pocketsphinx.ts';
import { ProcessSpeaking } from './processEngines.ts';

interface SpeechEnginesOptions {
  /** As they are now: each utterance and each sentence asks anew. */
  readonly wanted: () => { readonly stt: string; readonly tts: string; readonly voice: string };
  readonly grammar?: string | undefined;
}

const FLITE_MEGABYTES = 300;
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
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SpeechEnginesOptions) {
    this.#options = options;
  }

  /** The first is to be asked, the others where it cannot be had. */
  async hearing(language?: string): Promise<readonly HearingEngine[]> {
    const pocketsphinx = await this.#findPocketsphinx();
    return inOrder(pocketsphinx ? [pocketsphinx] : [], this.#options.wanted().stt, language);
  }

  /** A voice that is named is looked for where nothing leaves the machine, and the own choice of the first otherwise. */
  async speaking(voice?: string, language?: string): Promise<readonly SpeakingEngine[]> {
    const { tts } = this.#options.wanted();
    const ordered = inOrder<SpeakingEngine>([this.#flite], tts, language);
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

  async stop(): Promise<void> {
    await Promise.all([this.#flite.stop(), this.#pocketsphinx?.stop()]);
  }

  async #findPocketsphinx(): Promise<Pocketsphinx | undefined> {
    if (this.#pocketsphinx || performance.now() - this.#lookedAt < LOOK_AGAIN_MS) return this.#pocketsphinx;
    this.#lookedAt = performance.now();
    const program = await findPocketsphinx();
    const { grammar } = this.#options;
    if (program !== undefined) this.#pocketsphinx ??= new Pocketsphinx({ program, grammar });
    return this.#pocketsphinx;
  }
}
