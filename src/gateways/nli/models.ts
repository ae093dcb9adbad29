import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ModelFile } from '../modelFiles/modelFile.ts';
import { type Enter, ModelFiles } from '../modelFiles/modelFiles.ts';

/*
 * Models that tell whether one sentence contradicts another, follows from it, or neither. Which files they are is
 * pinned: a revision, and what each file has to be. A file that is another one is never opened.
 */

const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 lower-case hexadecimal digits');
/** Below the host; no part of it leads elsewhere. */
const path = z
  .string()
  .regex(/^(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*$/, 'must be a path without a leading slash');
/** What goes on after so many is another file. */
const mostBytes = z.int().positive();
const label = z.enum(['contradiction', 'entailment', 'neutral']);
export type NliLabel = z.output<typeof label>;

const pinned = z.strictObject({ path, mostBytes, sha256: digest });
/** In place of a configuration that nobody has pinned, what would be read of it: which output is which label. */
const written = z.strictObject({
  labels: z
    .array(label)
    .length(3)
    .refine((labels) => new Set(labels).size === 3, 'must be three labels')
    .readonly(),
});

const nliModelSchema = z.strictObject({
  /** With the revision: verdicts of one model are nothing to another. */
  id: z.string().regex(/^[\w./@-]{1,200}$/, 'must be letters, digits and . / @ _ -'),
  host: z.url({ protocol: /^https?$/ }),
  model: pinned,
  tokenizer: pinned,
  config: z.union([pinned, written]),
});
export type NliModel = z.output<typeof nliModelSchema>;

const SMALL = 'cross-encoder/nli-deberta-v3-small/resolve/fa2804872c3b4bd748f38c0185cc85775361e735';
const BASE = 'cross-encoder/nli-deberta-v3-base/resolve/6c749ce3425cd33b46d187e45b92bbf96ee12ec7';

const tokenizer = {
  mostBytes: 8_656_624,
  sha256: '5124ef2ead1a10a717703bc436de7f353da76d6340e4587719b42b1693707964',
};

/**
 * DeBERTa v3 cross-encoders, trained on SNLI and MultiNLI, with weights of 8 bits. Checksums and sizes are those that
 * public projects pin for the same revision.
 */
export const nliModels: Readonly<Record<'small' | 'base', NliModel>> = {
  small: {
    id: 'cross-encoder/nli-deberta-v3-small@fa280487',
    host: 'https://huggingface.co',
    model: {
      path: `${SMALL}/onnx/model_quint8_avx2.onnx`,
      // Its exact size is not known publicly: about 173 MiB together with the other files.
      mostBytes: 200_000_000,
      sha256: '03c2221313dc0c3eac9cec1f746d1319d33f2c2901fcce1c0f08f4daac9b6dae',
    },
    tokenizer: { path: `${SMALL}/tokenizer.json`, ...tokenizer },
    config: {
      path: `${SMALL}/config.json`,
      mostBytes: 10_000,
      sha256: '885d0dceae8fa5c136da9209121ec9eb11160488e840de3bc1f29353674e5712',
    },
  },
  base: {
    id: 'cross-encoder/nli-deberta-v3-base@6c749ce3',
    host: 'https://huggingface.co',
    model: {
      path: `${BASE}/onnx/model_quint8_avx2.onnx`,
      // Exact: 233 MiB, where the specification speaks of about 223.
      mostBytes: 244_422_412,
      sha256: '36784d97274ef019db9f54fd16812f9a460e787703658b0f3b2200999692680b',
    },
    tokenizer: { path: `${BASE}/tokenizer.json`, ...tokenizer },
    // No public checksum of its file is known, so that it is not fetched.
    config: { labels: ['contradiction', 'entailment', 'neutral'] },
  },
};

const parts = ['config', 'tokenizer', 'model'] as const;
export type ModelPart = (typeof parts)[number];

/** As they are called on disk. */
export const nliFileNames = {
  model: 'model.onnx',
  tokenizer: 'tokenizer.json',
  config: 'config.json',
} as const;

/** Which files a model is, each with its pin. */
export function filesOf(model: NliModel): readonly ModelFile[] {
  return parts.flatMap((part) => {
    const file = model[part];
    return 'path' in file ? [{ name: nliFileNames[part], ...file }] : [];
  });
}

/** The folder of a model among those of all: another revision is another model. */
export function nliFolder({ id }: NliModel): string {
  return `nli/${id.replaceAll(/[^\w-]+/g, '_')}`;
}

export function nliFilesIn(
  folder: string,
  model: NliModel,
  options: {
    readonly mirror: string | undefined;
    readonly longestSilenceMs?: number;
    readonly enter?: Enter;
    readonly onCame?: () => void;
  },
): ModelFiles {
  return new ModelFiles({ files: filesOf(model), folder, host: model.host, ...options });
}

/** Another model than these, as whoever runs the service describes it in a file. */
export async function readNliModel(file: string): Promise<NliModel> {
  return nliModelSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}
