import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  FLOAT,
  type Graph,
  INT64,
  onnxModel,
} from '../../../src/sagas/maintenance/contradictions/candidates/onnxModel.ts';

/*
 * A voice that sherpa-onnx loads as it loads any VITS, for tests: files, metadata, lexicon, inputs and output are those of a
 * real one. It is no neural network: it says recorded words one after the other, slower and lower where it is asked to be
 * slower. Words that it has no record of are left out, as sherpa-onnx does with what is not in a lexicon.
 */

export const VOICE_RATE = 16_000;
const PAUSES = { ' ': 0.05, ',': 0.15, '.': 0.25, '?': 0.25, '!': 0.25 } as const;

/** Writes `model.onnx`, `tokens.txt` and `lexicon.txt`. Records are at `VOICE_RATE`. */
export async function writeWordVoice(
  folder: string,
  records: ReadonlyMap<string, Int16Array>,
): Promise<void> {
  const pauses = Object.entries(PAUSES).map(
    ([mark, seconds]) => [mark, new Int16Array(seconds * VOICE_RATE)] as const,
  );
  const tokens = [...pauses, ...records];
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'model.onnx'), onnxModel(graph(tokens.map(([, samples]) => samples))));
  await writeFile(join(folder, 'tokens.txt'), tokens.map(([token], id) => `${token} ${id}\n`).join(''));
  await writeFile(
    join(folder, 'lexicon.txt'),
    [...records.keys()].map((word) => `${word} ${word}\n`).join(''),
  );
}

function graph(records: readonly Int16Array[]): Graph {
  const samples = new Float32Array(records.reduce((sum, { length }) => sum + length, 0));
  const begins: number[] = [];
  let end = 0;
  for (const record of records) {
    begins.push(end);
    for (const sample of record) samples[end++] = sample / 32_768;
  }
  const floats = ['noise_scale', 'length_scale', 'noise_scale_w'];
  return {
    inputs: [
      { name: 'x', type: INT64, shape: [1, 'tokens'] },
      { name: 'x_length', type: INT64, shape: [1] },
      ...floats.map((name) => ({ name, type: FLOAT, shape: [1] }) as const),
    ],
    outputs: [{ name: 'y', type: FLOAT, shape: [1, 'samples'] }],
    constants: [
      { name: 'records', type: FLOAT, shape: [samples.length], bytes: new Uint8Array(samples.buffer) },
      whole('begins', begins),
      whole(
        'lengths',
        records.map(({ length }) => length),
      ),
      whole('flat', [-1]),
      whole('one', [1]),
      whole('front', [0]),
      { ...whole('zero', [0]), shape: [] },
      { ...whole('step', [1]), shape: [] },
    ],
    operations: [
      { type: 'Reshape', inputs: ['x', 'flat'], outputs: ['said'] },
      { type: 'Gather', inputs: ['lengths', 'said'], outputs: ['own'] },
      { type: 'Cast', inputs: ['own'], outputs: ['ownFloats'], attributes: { to: FLOAT } },
      { type: 'Mul', inputs: ['ownFloats', 'length_scale'], outputs: ['slowed'] },
      { type: 'Cast', inputs: ['slowed'], outputs: ['taken'], attributes: { to: INT64 } },
      { type: 'CumSum', inputs: ['taken', 'zero'], outputs: ['ends'] },
      { type: 'Sub', inputs: ['ends', 'taken'], outputs: ['starts'] },
      { type: 'ReduceSum', inputs: ['taken'], outputs: ['total'], attributes: { keepdims: 0 } },
      { type: 'Range', inputs: ['zero', 'total', 'step'], outputs: ['at'] },
      // Which of the words a sample is in: as many as have ended before it.
      { type: 'Unsqueeze', inputs: ['at', 'one'], outputs: ['column'] },
      { type: 'GreaterOrEqual', inputs: ['column', 'ends'], outputs: ['isOver'] },
      { type: 'Cast', inputs: ['isOver'], outputs: ['over'], attributes: { to: INT64 } },
      { type: 'ReduceSum', inputs: ['over', 'one'], outputs: ['which'], attributes: { keepdims: 0 } },
      { type: 'Gather', inputs: ['starts', 'which'], outputs: ['start'] },
      { type: 'Sub', inputs: ['at', 'start'], outputs: ['within'] },
      { type: 'Cast', inputs: ['within'], outputs: ['withinFloats'], attributes: { to: FLOAT } },
      { type: 'Div', inputs: ['withinFloats', 'length_scale'], outputs: ['quick'] },
      { type: 'Cast', inputs: ['quick'], outputs: ['place'], attributes: { to: INT64 } },
      { type: 'Gather', inputs: ['said', 'which'], outputs: ['word'] },
      { type: 'Gather', inputs: ['begins', 'word'], outputs: ['begin'] },
      { type: 'Add', inputs: ['begin', 'place'], outputs: ['sample'] },
      { type: 'Gather', inputs: ['records', 'sample'], outputs: ['wave'] },
      { type: 'Unsqueeze', inputs: ['wave', 'front'], outputs: ['y'] },
    ],
    metadata: {
      model_type: 'vits',
      comment: 'recorded words, for tests',
      language: 'English',
      punctuation: Object.keys(PAUSES)
        .filter((mark) => mark !== ' ')
        .join(' '),
      sample_rate: String(VOICE_RATE),
      n_speakers: '1',
      add_blank: '0',
    },
  };
}

function whole(name: string, values: readonly number[]) {
  const bytes = new Uint8Array(BigInt64Array.from(values.map(BigInt)).buffer);
  return { name, type: INT64, shape: [values.length], bytes } as const;
}
