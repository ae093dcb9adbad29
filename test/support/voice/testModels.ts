import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileHost } from '../fileHost.ts';
import { spoken } from './speech.ts';
import { VOICE_RATE, writeWordVoice } from './wordVoice.ts';

/*
 * Small models that sherpa-onnx really transcribes and speaks with, on a web server that hark downloads them from: a
 * recogniser that learned some words (see training/speech), and a voice of recorded words.
 */

const RECOGNISER = join(import.meta.dirname, 'recogniser');
const AUDIBLE = 330;

interface TestModels {
  readonly host: FileHost;
  /** For `SERVICE_MODELS_MANIFEST`. */
  readonly manifest: string;
}

/** `words` for speech in; `said` for speech out, which says these words. */
export async function offerTestModels(folder: string, vocabulary: readonly string[]): Promise<TestModels> {
  const voice = join(folder, 'said');
  await writeWordVoice(voice, await recordsOf(vocabulary));
  const described = [
    {
      id: 'words',
      type: 'stt',
      family: 'zipformer-ctc',
      from: RECOGNISER,
      parts: { model: 'model.onnx', tokens: 'tokens.txt' },
    },
    {
      id: 'said',
      type: 'tts',
      family: 'piper',
      from: voice,
      parts: { model: 'model.onnx', tokens: 'tokens.txt', lexicon: 'lexicon.txt' },
    },
  ];
  const contents = new Map<string, Uint8Array>();
  for (const { id, from, parts } of described)
    for (const name of Object.values(parts)) contents.set(`/${id}/${name}`, await readFile(join(from, name)));
  const host = await FileHost.start(contents);
  const manifest = join(folder, 'models.json');
  const models = described.map(({ id, type, family, parts }) => ({
    ...{ id, name: id, type, family, parts },
    languages: ['en'],
    host: host.url,
    files: Object.values(parts).map((name) => {
      const content = contents.get(`/${id}/${name}`) ?? new Uint8Array();
      return { name, path: `${id}/${name}`, bytes: content.byteLength, sha256: hash('sha256', content) };
    }),
  }));
  await writeFile(manifest, JSON.stringify(models));
  return { host, manifest };
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
