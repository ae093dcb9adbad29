import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FileHost } from '../fileHost.ts';
import { spoken } from './speech.ts';
import { VOICE_RATE, writeWordVoice } from './wordVoice.ts';

/*
 * Small models that sherpa-onnx really transcribes and speaks with, on a web server that hark downloads them from: a
 * recogniser that learned some words (see training/speech), and a voice of recorded words.
 */

const RECOGNISER = join(import.meta.dirname, 'recogniser');
const KEYWORDS = join(import.meta.dirname, 'keywords');
const AUDIBLE = 330;

/** The recogniser once more, as a keyword spotter wants it: see training/speech/keywords.py. */
export const WAKE_MODEL = {
  ...{ id: 'wake', type: 'wake', family: 'zipformer-kws', languages: ['en'] },
  files: {
    encoder: join(RECOGNISER, 'model.onnx'),
    decoder: join(KEYWORDS, 'decoder.onnx'),
    joiner: join(KEYWORDS, 'joiner.onnx'),
    tokens: join(RECOGNISER, 'tokens.txt'),
  },
};

interface TestModels {
  readonly host: FileHost;
  /** For `SERVICE_MODELS_MANIFEST`. */
  readonly manifest: string;
}

/** `words` for speech in; `said` for speech out, which says these words; `wake` for words that wake. */
export async function offerTestModels(folder: string, vocabulary: readonly string[]): Promise<TestModels> {
  const voice = join(folder, 'said');
  await writeWordVoice(voice, await recordsOf(vocabulary));
  const recogniser = inFolder(RECOGNISER, { model: 'model.onnx', tokens: 'tokens.txt' });
  const parts = { model: 'model.onnx', tokens: 'tokens.txt', lexicon: 'lexicon.txt' };
  const described = [
    { id: 'words', type: 'stt', family: 'zipformer-ctc', files: recogniser },
    { id: 'said', type: 'tts', family: 'piper', files: inFolder(voice, parts) },
    WAKE_MODEL,
  ];
  const contents = new Map<string, Uint8Array>();
  for (const { id, files } of described)
    for (const file of Object.values(files)) contents.set(`/${id}/${basename(file)}`, await readFile(file));
  const host = await FileHost.start(contents);
  const manifest = join(folder, 'models.json');
  const models = described.map(({ id, type, family, files }) => ({
    ...{ id, name: id, type, family },
    parts: Object.fromEntries(Object.entries(files).map(([part, file]) => [part, basename(file)])),
    languages: ['en'],
    host: host.url,
    files: Object.values(files).map((file) => {
      const name = basename(file);
      const content = contents.get(`/${id}/${name}`) ?? new Uint8Array();
      return { name, path: `${id}/${name}`, bytes: content.byteLength, sha256: hash('sha256', content) };
    }),
  }));
  await writeFile(manifest, JSON.stringify(models));
  return { host, manifest };
}

function inFolder(folder: string, parts: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(parts).map(([part, name]) => [part, join(folder, name)]));
}

async function recordsOf(vocabulary: readonly string[]): Promise<ReadonlyMap<string, Int16Array>> {
  const records = new Map<string, Int16Array>();
  for (const word of vocabulary) records.set(word, audiblePart(await spoken(word)));
  return records;
}

function audiblePart(samples: Int16Array): Int16Array {
  const isAudible = (sample: number) => Math.abs(sample) > AUDIBLE;
  const margin = VOICE_RATE / 50;
  return samples.slice(
    Math.max(0, samples.findIndex(isAudible) - margin),
    samples.findLastIndex(isAudible) + margin,
  );
}
