import type { Benchmark } from '../application/voice/benchmark.ts';
import { HarkError } from '../errors.ts';
import type { HearingEngine, SpeakingEngine } from '../gateways/speech/engine.ts';
import type { SpottingEngine } from '../gateways/speech/spottingEngine.ts';

interface Measured {
  readonly id: string;
  readonly type: string;
  readonly languages: readonly string[];
}

type Engine = HearingEngine | SpeakingEngine | SpottingEngine;

interface BenchmarkOptions {
  /** By its id, or that of its model. */
  readonly engineOf: (id: string) => Promise<Engine | undefined>;
}

const LONGEST_MS = 150_000;
const TRY_AGAIN_SECONDS = 30;

/** The wiring of how models are measured on this machine: one at a time, since they would slow each other. */
export class Benchmarks {
  readonly #options: BenchmarkOptions;
  #isMeasuring = false;

  constructor(options: BenchmarkOptions) {
    this.#options = options;
  }

  /** Undefined for what nothing here measures. */
  async measure(model: Measured): Promise<Benchmark | undefined> {
    if (this.#isMeasuring)
      throw new HarkError('TOO_MANY_REQUESTS', {
        message: 'Another model is being measured',
        ...{ limit: 1, body: { retryAfter: TRY_AGAIN_SECONDS } },
      });
    this.#isMeasuring = true;
    try {
      return model.type === 'vad' ? await measureDetector() : await this.#measureEngine(model);
    } finally {
      this.#isMeasuring = false;
    }
  }

  async #measureEngine({ id, languages }: Measured): Promise<Benchmark | undefined> {
    const engine = await this.#options.engineOf(id);
    if (!engine) return undefined;
    const { measureHearing, measureSpeaking, measureWaiting, speakSentences } = await import(
      '../application/voice/benchmark.ts'
    );
    const signal = AbortSignal.timeout(LONGEST_MS);
    const now = () => performance.now();
    if ('spot' in engine) {
      const speed = await measureWaiting(engine, await speakSentences(await this.#flite(), signal), now);
      return speed && { ...speed, peakMb: await peakMegabytes(engine) };
    }
    const hears = 'listen' in engine;
    const unavailable = (cause: unknown) => {
      throw new HarkError(hears ? 'STT_UNAVAILABLE' : 'TTS_UNAVAILABLE', { cause });
    };
    if (!hears) {
      const speed = await measureSpeaking(engine, now, signal).catch(unavailable);
      return { ...speed, peakMb: await peakMegabytes(engine) };
    }
    const spoken = await speakSentences(await this.#flite(), signal);
    const knowsEnglish = languages.some((language) => /^(en\b|\*$)/.test(language));
    const speed = await measureHearing(engine, spoken, { now, knowsEnglish }).catch(unavailable);
    return { ...speed, peakMb: await peakMegabytes(engine) };
  }

  async #flite(): Promise<SpeakingEngine> {
    const flite = await this.#options.engineOf('flite');
    if (!flite || !('speak' in flite)) throw new HarkError('TTS_UNAVAILABLE');
    return flite;
  }
}

async function peakMegabytes({ pid }: Engine): Promise<number> {
  const { peakMegabytes } = await import('../gateways/speech/residentMegabytes.ts');
  return Math.round(await peakMegabytes(pid ?? process.pid));
}

const WINDOWS = 940;

/** Half a minute of noise, in a thread of its own; its memory is that of the whole process. */
async function measureDetector(): Promise<Benchmark> {
  const [{ VoiceActivity }, { WINDOW, HEARING_RATE }] = await Promise.all([
    import('../gateways/voiceActivity/voiceActivity.ts'),
    import('../application/voice/speech.ts'),
  ]);
  const detector = new VoiceActivity();
  try {
    const { promise: warm, resolve: warmed } = Promise.withResolvers<void>();
    const { promise: done, resolve } = Promise.withResolvers<void>();
    let told = 0;
    const voice = detector.open(() => {
      told++;
      if (told === 1) warmed();
      if (told === WINDOWS + 1) resolve();
    });
    const window = Int16Array.from({ length: WINDOW }, (_, at) => 3_000 * Math.sin(at / 5));
    voice.hear(window);
    await warm;
    const startedAt = performance.now();
    for (let heard = 0; heard < WINDOWS; heard++) voice.hear(window);
    await done;
    const worked = performance.now() - startedAt;
    voice.close();
    const seconds = (WINDOWS * WINDOW) / HEARING_RATE;
    const realTimeFactor = Math.round((worked / seconds) * 10) / 10_000;
    return { realTimeFactor, peakMb: Math.round(process.memoryUsage.rss() / 2 ** 20) };
  } finally {
    await detector.stop();
  }
}
