import type { ModelType, SpeechModel } from './model.ts';

/*
 * Models of the sherpa-onnx project's releases. Their tags are moved along when a file is put in place of another, so
 * each archive is pinned by its sum: those that several independent public projects pin for the same file, with its
 * exact size. They were compared in November 2026.
 */

const HOST = 'https://github.com';
const RELEASES = 'k2-fsa/sherpa-onnx/releases/download';
const DOCUMENTS = 'https://k2-fsa.github.io/sherpa/onnx';

interface Archive
  extends Pick<SpeechModel, 'id' | 'name' | 'description' | 'family' | 'licence' | 'languages'> {
  readonly type: ModelType;
  readonly release: 'asr-models' | 'tts-models' | 'kws-models';
  /** Its name without `.tar.bz2`, and of the folder in it. */
  readonly archive: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly homepage: string;
  /** Below the folder in it. */
  readonly parts: Readonly<Record<string, string>>;
}

function packed({ archive, release, bytes, sha256, parts, ...model }: Archive): SpeechModel {
  const file = { path: `${RELEASES}/${release}/${archive}.tar.bz2`, mostBytes: bytes, sha256 };
  return {
    ...model,
    format: 'tar.bz2',
    folder: `${model.type}/${model.id}`,
    host: HOST,
    files: [{ name: archive, ...file, unpack: Object.values(parts) }],
    parts: Object.fromEntries(Object.entries(parts).map(([part, path]) => [part, `${archive}/${path}`])),
  };
}

/** Understands while it hears: three networks, of which two are quantised. */
function transducer(suffix: string, decoder = suffix): Archive['parts'] {
  return {
    encoder: `encoder${suffix}.onnx`,
    decoder: `decoder${decoder}.onnx`,
    joiner: `joiner${suffix}.onnx`,
    tokens: 'tokens.txt',
  };
}

const listening = (
  model: Omit<Archive, 'type' | 'release' | 'homepage'> & { readonly homepage?: string },
): SpeechModel =>
  packed({
    type: 'stt',
    release: 'asr-models',
    homepage: `${DOCUMENTS}/pretrained_models/index.html`,
    ...model,
  });

const MOONSHINE = {
  preprocessor: 'preprocess.onnx',
  encoder: 'encode.int8.onnx',
  uncachedDecoder: 'uncached_decode.int8.onnx',
  cachedDecoder: 'cached_decode.int8.onnx',
  tokens: 'tokens.txt',
};
const whisper = (size: string): Archive['parts'] => ({
  encoder: `${size}-encoder.int8.onnx`,
  decoder: `${size}-decoder.int8.onnx`,
  tokens: `${size}-tokens.txt`,
});
const kroko = (language: string, name: string, bytes: number, sha256: string): SpeechModel =>
  listening({
    id: `zipformer-kroko-${language}`,
    name: `Kroko streaming zipformer, ${name}`,
    description: `${name} while it is spoken, with capitals and punctuation`,
    family: 'zipformer',
    licence: 'CC-BY-SA-4.0',
    languages: [language],
    archive: `sherpa-onnx-streaming-zipformer-${language}-kroko-2025-08-06`,
    bytes,
    sha256,
    homepage: 'https://huggingface.co/Banafo/Kroko-ASR',
    parts: transducer(''),
  });

const speechToText: readonly SpeechModel[] = [
  kroko('en', 'English', 57_267_600, 'c8676e5ff9ac2a85296e53ee0fd4d5fb1db6770e7a7647166eeafe349ade6834'),
  kroko('de', 'German', 57_565_698, '9e27b783c20e67b0d0f13a258c1861fce199917c969d9176a438bee38df64962'),
  kroko('fr', 'French', 57_220_361, 'e6ffd3dc43725cd6c8137b05c739f15607d0df946b9b90eb141e10059efca024'),
  kroko('es', 'Spanish', 124_394_665, '31b2230a95d23290b308b393da930015a4b2105cb3abb9367aed35f7fcf29cf1'),
  listening({
    id: 'zipformer-en-20m',
    name: 'Streaming zipformer 20M, English',
    description: 'English while it is spoken: small and fast, in capitals without punctuation',
    family: 'zipformer',
    licence: 'Apache-2.0',
    languages: ['en'],
    archive: 'sherpa-onnx-streaming-zipformer-en-20M-2023-02-17',
    bytes: 127_887_156,
    sha256: '9c559283e8498d3fe95913c79ca1cb454bb26281ac2b102b41306c7d752765d9',
    parts: transducer('-epoch-99-avg-1.int8'),
  }),
  listening({
    id: 'zipformer-en',
    name: 'Streaming zipformer, English',
    description: 'English while it is spoken: larger and more accurate, in capitals without punctuation',
    family: 'zipformer',
    licence: 'Apache-2.0',
    languages: ['en'],
    archive: 'sherpa-onnx-streaming-zipformer-en-2023-06-26',
    bytes: 310_414_022,
    sha256: '639e25b578e9e997131402199419c13a941f8e4e198e2da1ce57dbf5cf401282',
    parts: transducer('-epoch-99-avg-1-chunk-16-left-128.int8'),
  }),
  listening({
    id: 'zipformer-multi',
    name: 'Streaming zipformer, 8 languages',
    description:
      'Arabic, English, Indonesian, Japanese, Russian, Thai, Vietnamese and Chinese while they are spoken',
    family: 'zipformer',
    licence: 'Apache-2.0',
    languages: ['ar', 'en', 'id', 'ja', 'ru', 'th', 'vi', 'zh'],
    archive: 'sherpa-onnx-streaming-zipformer-ar_en_id_ja_ru_th_vi_zh-2025-02-10',
    bytes: 258_999_581,
    sha256: '28044b67324f7f831689f0a3761473dd2ade380e93aa53f1dbcd479ef71c40d4',
    parts: transducer('-epoch-75-avg-11-chunk-16-left-128.int8', '-epoch-75-avg-11-chunk-16-left-128'),
  }),
  listening({
    id: 'fastconformer-en-80ms',
    name: 'NeMo streaming FastConformer, English',
    description: 'English while it is spoken, 80 ms behind, in small letters without punctuation',
    family: 'nemo-streaming',
    licence: 'CC-BY-4.0',
    languages: ['en'],
    archive: 'sherpa-onnx-nemo-streaming-fast-conformer-transducer-en-80ms-int8',
    bytes: 102_813_625,
    sha256: '7bd33a914e93370a1ba9c2066d9e841bdcad8613fa2a00537c1ae15d851a14d8',
    homepage: 'https://huggingface.co/nvidia/stt_en_fastconformer_hybrid_large_streaming_multi',
    parts: transducer('.int8'),
  }),
  listening({
    id: 'whisper-tiny',
    name: 'Whisper tiny',
    description: 'Ninety-nine languages after they were spoken: the smallest Whisper',
    family: 'whisper',
    licence: 'MIT',
    languages: ['*'],
    archive: 'sherpa-onnx-whisper-tiny',
    bytes: 116_204_861,
    sha256: 'c46116994e539aa165266d96b325252728429c12535eb9d8b6a2b10f129e66b1',
    homepage: 'https://github.com/openai/whisper',
    parts: whisper('tiny'),
  }),
  listening({
    id: 'whisper-tiny-en',
    name: 'Whisper tiny, English',
    description: 'English after it was spoken: the smallest Whisper, for this language alone',
    family: 'whisper',
    licence: 'MIT',
    languages: ['en'],
    archive: 'sherpa-onnx-whisper-tiny.en',
    bytes: 118_071_777,
    sha256: '2bd6cf965c8bb3e068ef9fa2191387ee63a9dfa2a4e37582a8109641c20005dd',
    homepage: 'https://github.com/openai/whisper',
    parts: whisper('tiny.en'),
  }),
  listening({
    id: 'whisper-base',
    name: 'Whisper base',
    description: 'Ninety-nine languages after they were spoken: slower than tiny, and better',
    family: 'whisper',
    licence: 'MIT',
    languages: ['*'],
    archive: 'sherpa-onnx-whisper-base',
    bytes: 207_557_382,
    sha256: '911b2083efd7c0dca2ac3b358b75222660dc09fb716d64fbfc417ba6c99ff3de',
    homepage: 'https://github.com/openai/whisper',
    parts: whisper('base'),
  }),
  listening({
    id: 'moonshine-tiny-en',
    name: 'Moonshine tiny, English',
    description: 'English after it was spoken: quick for short utterances, with punctuation',
    family: 'moonshine',
    licence: 'MIT',
    languages: ['en'],
    archive: 'sherpa-onnx-moonshine-tiny-en-int8',
    bytes: 107_600_538,
    sha256: 'd5fe6ec4334fef36255b2a4010412cad4c007e33103fec62fb5d17cad88086f2',
    homepage: 'https://github.com/moonshine-ai/moonshine',
    parts: MOONSHINE,
  }),
  listening({
    id: 'moonshine-base-en',
    name: 'Moonshine base, English',
    description: 'English after it was spoken: quick for short utterances, better than tiny',
    family: 'moonshine',
    licence: 'MIT',
    languages: ['en'],
    archive: 'sherpa-onnx-moonshine-base-en-int8',
    bytes: 250_807_309,
    sha256: '21870cecaa2e44e4e2bf63e02d1072bed183ccd10284871353bd9d24dad14e5e',
    homepage: 'https://github.com/moonshine-ai/moonshine',
    parts: MOONSHINE,
  }),
  listening({
    id: 'sense-voice',
    name: 'SenseVoice small',
    description: 'Chinese, English, Japanese, Korean and Cantonese after they were spoken, very fast',
    family: 'sense-voice',
    licence: 'FunASR Model License 1.1 (own terms: names and attribution have to be kept)',
    languages: ['zh', 'en', 'ja', 'ko', 'yue'],
    archive: 'sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2024-07-17',
    bytes: 163_002_883,
    sha256: '7d1efa2138a65b0b488df37f8b89e3d91a60676e416f515b952358d83dfd347e',
    homepage: 'https://github.com/FunAudioLLM/SenseVoice',
    parts: { model: 'model.int8.onnx', tokens: 'tokens.txt' },
  }),
  listening({
    id: 'parakeet-ctc-110m-en',
    name: 'Parakeet TDT-CTC 110M, English',
    description: 'English after it was spoken: accurate for its size, with punctuation',
    family: 'nemo-ctc',
    licence: 'CC-BY-4.0',
    languages: ['en'],
    archive: 'sherpa-onnx-nemo-parakeet_tdt_ctc_110m-en-36000-int8',
    bytes: 104_337_827,
    sha256: '17f945007b52ccd8b7200ffc7c5652e9e8e961dfdf479cefcabd06cf5703630b',
    homepage: 'https://huggingface.co/nvidia/parakeet-tdt_ctc-110m',
    parts: { model: 'model.int8.onnx', tokens: 'tokens.txt' },
  }),
  listening({
    id: 'parakeet-v3',
    name: 'Parakeet TDT 0.6B v3, 25 languages',
    description: 'European languages after they were spoken: the most accurate here, and the largest',
    family: 'nemo-transducer',
    licence: 'CC-BY-4.0',
    languages: [
      ...['bg', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fi', 'fr', 'hr', 'hu', 'it'],
      ...['lt', 'lv', 'mt', 'nl', 'pl', 'pt', 'ro', 'ru', 'sk', 'sl', 'sv', 'uk'],
    ],
    archive: 'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8',
    bytes: 487_170_055,
    sha256: '5793d0fd397c5778d2cf2126994d58e9d56b1be7c04d13c7a15bb1b4eafb16bf',
    homepage: 'https://huggingface.co/nvidia/parakeet-tdt-0.6b-v3',
    parts: transducer('.int8'),
  }),
];

const speaking = (model: Omit<Archive, 'type' | 'release'>): SpeechModel =>
  packed({ type: 'tts', release: 'tts-models', ...model });

interface PiperVoice {
  readonly locale: string;
  readonly voice: string;
  readonly quality?: string;
  readonly about: string;
  /** Of what the voice learned from; Piper itself is MIT. */
  readonly licence: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** With weights of 8 bits: a third of the size, and nobody hears it. */
function piper({
  locale,
  voice,
  quality = 'medium',
  about,
  licence,
  bytes,
  sha256,
}: PiperVoice): SpeechModel {
  const named = `${locale}-${voice}-${quality}`;
  return speaking({
    id: `piper-${locale.toLowerCase().replace('_', '-')}-${voice}`,
    name: `Piper ${voice.charAt(0).toUpperCase()}${voice.slice(1)}, ${about}`,
    description: `One ${about} voice, several times faster than speech on any processor`,
    family: 'piper',
    licence,
    languages: [locale.replace('_', '-')],
    archive: `vits-piper-${named}-int8`,
    bytes,
    sha256,
    homepage: 'https://huggingface.co/rhasspy/piper-voices',
    parts: { model: `${named}.onnx`, tokens: 'tokens.txt', dataDir: 'espeak-ng-data' },
  });
}

const textToSpeech: readonly SpeechModel[] = [
  speaking({
    id: 'kitten-nano-en',
    name: 'KittenTTS nano, English',
    description: 'Eight English voices in a very small model',
    family: 'kitten',
    licence: 'Apache-2.0',
    languages: ['en'],
    archive: 'kitten-nano-en-v0_2-fp16',
    bytes: 26_586_708,
    sha256: '0345a8a2f4a710cb8f7912c9a731ded8b3e1e69b33a871efa95c2e64651518fe',
    homepage: 'https://huggingface.co/KittenML/kitten-tts-nano-0.2',
    parts: {
      model: 'model.fp16.onnx',
      voices: 'voices.bin',
      tokens: 'tokens.txt',
      dataDir: 'espeak-ng-data',
    },
  }),
  speaking({
    id: 'kokoro-en',
    name: 'Kokoro v0.19, English',
    description: 'Eleven English voices, the most natural here; wants a fast processor',
    family: 'kokoro',
    licence: 'Apache-2.0',
    languages: ['en'],
    archive: 'kokoro-int8-en-v0_19',
    bytes: 103_248_205,
    sha256: 'c9f0dd393615805b0bab050c340834d5e684e732aec91c0e860cd30e982c08bd',
    homepage: 'https://huggingface.co/hexgrad/Kokoro-82M',
    parts: {
      model: 'model.int8.onnx',
      voices: 'voices.bin',
      tokens: 'tokens.txt',
      dataDir: 'espeak-ng-data',
    },
  }),
  speaking({
    id: 'kokoro-multi',
    name: 'Kokoro v1.1, English and Chinese',
    description: 'A hundred voices for English and Chinese, very natural; wants a fast processor',
    family: 'kokoro',
    licence: 'Apache-2.0',
    languages: ['en', 'zh'],
    archive: 'kokoro-int8-multi-lang-v1_1',
    bytes: 147_031_220,
    sha256: 'a1e94694776049035c4f2c6529f003aaece993c76aae9a78995831c3c4dcafc6',
    homepage: 'https://huggingface.co/hexgrad/Kokoro-82M-v1.1-zh',
    parts: {
      model: 'model.int8.onnx',
      voices: 'voices.bin',
      tokens: 'tokens.txt',
      dataDir: 'espeak-ng-data',
      dictDir: 'dict',
      lexiconEn: 'lexicon-us-en.txt',
      lexiconZh: 'lexicon-zh.txt',
    },
  }),
  matcha(),
  ...[
    {
      locale: 'en_US',
      voice: 'kristin',
      about: 'American English',
      licence: 'MIT (voice data: public domain)',
      bytes: 20_882_061,
      sha256: '16289d7ee8e6b2311a0a0af6531a55f498f82499644a1bb6fddb991fe6fa950c',
    },
    {
      locale: 'en_US',
      voice: 'joe',
      about: 'American English',
      licence: 'MIT (voice data: CC0)',
      bytes: 21_230_019,
      sha256: '644527f29eca0ada5595d7b6e4daf6388f5ac0c4870b4d42996a6687fcefeb37',
    },
    {
      locale: 'en_GB',
      voice: 'alba',
      about: 'Scottish English',
      licence: 'MIT (voice data: CC-BY-4.0)',
      bytes: 21_104_326,
      sha256: 'f7581d123ae977f64f3032bb247d4deeac8440e881d918d36fdd36d8f1030fb7',
    },
    {
      locale: 'de_DE',
      voice: 'thorsten',
      about: 'German',
      licence: 'MIT (voice data: CC0)',
      bytes: 20_949_833,
      sha256: '07e240b7b9c1fc9211d5a69512f8cbe11b3286c2ed79c15c076ac6ed427fdf13',
    },
    {
      locale: 'fr_FR',
      voice: 'siwis',
      about: 'French',
      licence: 'MIT (voice data: CC-BY-4.0)',
      bytes: 20_914_888,
      sha256: '3909cff9b3cfd4820c66aa13bf554315c82e34899c161f0b446ece372bc4b5ec',
    },
    {
      locale: 'es_ES',
      voice: 'davefx',
      about: 'Castilian Spanish',
      licence: 'MIT (voice data: CC0)',
      bytes: 21_171_632,
      sha256: '8bb8ac1cefb727caec9bd9c6c3185c673c8b42c53bd29bb25d5a7715dac37125',
    },
    {
      locale: 'nl_NL',
      voice: 'pim',
      about: 'Dutch',
      licence: 'MIT (voice data: CC0)',
      bytes: 21_127_183,
      sha256: '10433635e34020dced7067b84880c2c7b91c1b9b861e9be8b1a832ead891880e',
    },
    {
      locale: 'it_IT',
      voice: 'paola',
      about: 'Italian',
      licence: 'MIT (voice data: CC0)',
      bytes: 21_143_212,
      sha256: '2b975ed305391c056944a4dde67ee754dd824099503a860295bb4c1d724662d8',
    },
    {
      locale: 'pt_BR',
      voice: 'faber',
      about: 'Brazilian Portuguese',
      licence: 'MIT (voice data: CC0)',
      bytes: 21_336_772,
      sha256: 'dbc8b1d7d729fd417ea78a350ed35696c928770ac93513d3f507bd4e88eee3fd',
    },
    {
      locale: 'pl_PL',
      voice: 'gosia',
      about: 'Polish',
      licence: 'MIT (voice data: CC0)',
      bytes: 21_109_262,
      sha256: '72acac4c4b031725c41a61b3af0314a3d30e1ec2cd83ee410ea5f9e6d2d9d4fb',
    },
  ].map(piper),
];

/** The sound of it comes from a vocoder, a file of its own. */
function matcha(): SpeechModel {
  const model = speaking({
    id: 'matcha-en',
    name: 'Matcha LJSpeech, American English',
    description: 'One American English voice with a natural melody',
    family: 'matcha',
    licence: 'Apache-2.0 (vocoder: MIT; voice data: public domain)',
    languages: ['en-US'],
    archive: 'matcha-icefall-en_US-ljspeech',
    bytes: 76_741_121,
    sha256: 'ea75702da7456a8b1874728278a835220dc8a26f4e8bd93c83bf53dc27679845',
    homepage: `${DOCUMENTS}/tts/pretrained_models/matcha.html`,
    parts: { acousticModel: 'model-steps-3.onnx', tokens: 'tokens.txt', dataDir: 'espeak-ng-data' },
  });
  const vocoder = {
    name: 'vocos-22khz-univ.onnx',
    path: `${RELEASES}/vocoder-models/vocos-22khz-univ.onnx`,
    mostBytes: 53_884_024,
    sha256: '0574a135aa1db2de6e181050db2ec528496cacd4a4701fc5d7faf9f9804c0081',
  };
  return {
    ...model,
    files: [vocoder, ...model.files],
    parts: { ...model.parts, vocoder: vocoder.name },
  };
}

const wakeWords: readonly SpeechModel[] = [
  packed({
    id: 'keywords-en',
    name: 'Keyword spotting zipformer 3.3M, English',
    description: 'Waits for words of your choice, in English',
    type: 'wake',
    release: 'kws-models',
    family: 'zipformer-kws',
    licence: 'Apache-2.0',
    languages: ['en'],
    archive: 'sherpa-onnx-kws-zipformer-gigaspeech-3.3M-2024-01-01',
    bytes: 17_626_723,
    sha256: 'f170013b4716e41b62b9bfd809687c207cef798ef9bc6534d524e17af9b6561a',
    homepage: `${DOCUMENTS}/kws/pretrained_models/index.html`,
    parts: {
      encoder: 'encoder-epoch-12-avg-2-chunk-16-left-64.int8.onnx',
      decoder: 'decoder-epoch-12-avg-2-chunk-16-left-64.int8.onnx',
      joiner: 'joiner-epoch-12-avg-2-chunk-16-left-64.int8.onnx',
      tokens: 'tokens.txt',
      bpe: 'bpe.model',
    },
  }),
  packed({
    id: 'keywords-zh',
    name: 'Keyword spotting zipformer 3.3M, Chinese',
    description: 'Waits for words of your choice, in Chinese',
    type: 'wake',
    release: 'kws-models',
    family: 'zipformer-kws',
    licence: 'Apache-2.0',
    languages: ['zh'],
    archive: 'sherpa-onnx-kws-zipformer-wenetspeech-3.3M-2024-01-01',
    bytes: 32_654_866,
    sha256: 'b2f7c89690dc8ce4c6ed6afeab7cd800c36ad1421fb6b6302b4a4b194cf7f35f',
    homepage: `${DOCUMENTS}/kws/pretrained_models/index.html`,
    parts: {
      encoder: 'encoder-epoch-12-avg-2-chunk-16-left-64.onnx',
      decoder: 'decoder-epoch-12-avg-2-chunk-16-left-64.onnx',
      joiner: 'joiner-epoch-12-avg-2-chunk-16-left-64.onnx',
      tokens: 'tokens.txt',
    },
  }),
];

export const sherpaModels: readonly SpeechModel[] = [...speechToText, ...textToSpeech, ...wakeWords];
