import type { SpeechModel } from '../model.ts';
import { DOCUMENTS, packed } from './archive.ts';

export const wakeWords: readonly SpeechModel[] = [
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
