import type { SpeechModel } from '../model.ts';
import { type Archive, DOCUMENTS, packed, RELEASES } from './archive.ts';

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

export const textToSpeech: readonly SpeechModel[] = [
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
