/** A model of the sherpa project, as it lies on the disk: see `gateways/speechModels`. */
export interface SherpaModel {
  readonly id: string;
  readonly type: string;
  /** Those of one are opened in the same way. */
  readonly family: string;
  readonly languages: readonly string[];
  /** Files and folders, by what sherpa calls them. */
  readonly files: Readonly<Record<string, string>>;
}

/** Voices by name, in the order in which the model has them; of others they are numbers. */
export const SHERPA_VOICES: Readonly<Record<string, readonly string[]>> = {
  'kokoro-en': [
    ...['af', 'af_bella', 'af_nicole', 'af_sarah', 'af_sky', 'am_adam', 'am_michael'],
    ...['bf_emma', 'bf_isabella', 'bm_george', 'bm_lewis'],
  ],
  'kitten-nano-en': ['2-m', '2-f', '3-m', '3-f', '4-m', '4-f', '5-m', '5-f'].map(
    (one) => `expr-voice-${one}`,
  ),
};

type Files = SherpaModel['files'];

/** By family: models that understand while they hear. */
const STREAMING: Readonly<Record<string, (files: Files) => object>> = {
  zipformer: (files) => ({ transducer: pick(files, 'encoder', 'decoder', 'joiner') }),
  'nemo-streaming': (files) => ({ transducer: pick(files, 'encoder', 'decoder', 'joiner') }),
  'zipformer-ctc': (files) => ({ zipformer2Ctc: pick(files, 'model') }),
  'nemo-streaming-ctc': (files) => ({ nemoCtc: pick(files, 'model') }),
  't-one': (files) => ({ toneCtc: pick(files, 'model') }),
};

/** By family: models that want to have all of it. */
const WHOLE: Readonly<Record<string, (files: Files, language: string) => object>> = {
  whisper: (files, language) => ({
    whisper: { ...pick(files, 'encoder', 'decoder'), language, task: 'transcribe', tailPaddings: -1 },
  }),
  moonshine: (files) => ({
    moonshine: pick(files, 'preprocessor', 'encoder', 'uncachedDecoder', 'cachedDecoder'),
  }),
  'sense-voice': (files, language) => ({
    senseVoice: { ...pick(files, 'model'), language, useInverseTextNormalization: 1 },
  }),
  'nemo-ctc': (files) => ({ nemoCtc: pick(files, 'model') }),
  'nemo-transducer': (files) => ({
    transducer: pick(files, 'encoder', 'decoder', 'joiner'),
    modelType: 'nemo_transducer',
  }),
  'zipformer-offline': (files) => ({ transducer: pick(files, 'encoder', 'decoder', 'joiner') }),
  'zipformer-ctc-offline': (files) => ({ zipformerCtc: pick(files, 'model') }),
};

/** By family: those that wait for phrases. */
const WAITING: Readonly<Record<string, (files: Files) => object>> = {
  'zipformer-kws': (files) => ({ transducer: pick(files, 'encoder', 'decoder', 'joiner') }),
};

/** By family: those that speak. */
const VOICES: Readonly<Record<string, (files: Files) => object>> = {
  piper: (files) => ({ vits: pick(files, 'model', 'lexicon', 'tokens', 'dataDir') }),
  matcha: (files) => ({ matcha: pick(files, 'acousticModel', 'vocoder', 'lexicon', 'tokens', 'dataDir') }),
  kitten: (files) => ({ kitten: pick(files, 'model', 'voices', 'tokens', 'dataDir') }),
  kokoro: ({ lexiconEn, lexiconZh, ...files }) => {
    const lexicon = [lexiconEn, lexiconZh].filter((one) => one !== undefined).join(',');
    return {
      kokoro: {
        ...pick(files, 'model', 'voices', 'tokens', 'dataDir'),
        ...(lexicon === '' ? {} : { lexicon }),
      },
    };
  },
};

export type SherpaConfig =
  | { readonly how: 'streaming' | 'whole' | 'speaking' | 'waiting'; readonly config: object }
  /** This version of hark does not know how to open it. */
  | undefined;

/** How sherpa is asked for it. The language counts for models that can be told one. */
export function sherpaConfig(model: SherpaModel, threads: number, language = ''): SherpaConfig {
  const { type, family, files } = model;
  const common = { numThreads: threads, provider: 'cpu', debug: 0 };
  const heard = { ...common, tokens: files.tokens ?? '' };
  const featConfig = { sampleRate: 16_000, featureDim: 80 };
  if (type === 'tts') {
    const parts = VOICES[family]?.(files);
    return parts && { how: 'speaking', config: { model: { ...parts, ...common }, maxNumSentences: 1 } };
  }
  const streaming = type === 'stt' ? STREAMING[family]?.(files) : undefined;
  if (streaming) {
    const modelConfig = { ...streaming, ...heard };
    const config = { featConfig, modelConfig, decodingMethod: 'greedy_search', enableEndpoint: 0 };
    return { how: 'streaming', config };
  }
  const waiting = type === 'wake' ? WAITING[family]?.(files) : undefined;
  if (waiting) return { how: 'waiting', config: { featConfig, modelConfig: { ...waiting, ...heard } } };
  const whole = type === 'stt' ? WHOLE[family]?.(files, language) : undefined;
  return whole && { how: 'whole', config: { featConfig, modelConfig: { ...whole, ...heard } } };
}

function pick(files: Files, ...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => (files[name] === undefined ? [] : [[name, files[name]]])),
  );
}
