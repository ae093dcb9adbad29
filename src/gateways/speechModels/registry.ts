import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { ModelFile } from '../modelFiles/modelFile.ts';
import { filesOf, type NliModel, nliFileNames, nliFolder, nliModels } from '../nli/models.ts';
import { modelTypes, type SpeechModel } from './model.ts';
import { sherpaModels } from './sherpa.ts';

const nothing = { host: '', files: [], parts: {}, folder: '' } as const;

/** As they lie in their packages, which the lock file pins. */
const builtIn: readonly SpeechModel[] = [
  {
    ...nothing,
    id: 'silero-vad',
    name: 'Silero VAD',
    description: 'Hears whether somebody speaks, in any language',
    type: 'vad',
    family: 'silero',
    format: 'onnx',
    licence: 'MIT',
    languages: ['*'],
    homepage: 'https://github.com/snakers4/silero-vad',
    builtIn: {
      bytes: 1_289_603,
      sha256: '7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49',
    },
  },
  {
    ...nothing,
    id: 'flite',
    name: 'Flite',
    description: 'Five plain English voices that need nothing and speak at once',
    type: 'tts',
    family: 'flite',
    format: 'wasm',
    licence: 'BSD-like (CMU)',
    languages: ['en'],
    homepage: 'http://cmuflite.org',
    builtIn: {
      bytes: 21_530_456,
      sha256: 'f975276f4f2a6de78613f197533aac2167d181b77020866d142d594bcc2a0e80',
    },
  },
];

function nliEntry(
  model: NliModel,
  told: Pick<SpeechModel, 'id' | 'name' | 'licence' | 'homepage'>,
): SpeechModel {
  return {
    ...told,
    description: 'Tells whether one sentence contradicts another: for the upkeep of memory',
    type: 'nli',
    family: 'deberta',
    format: 'onnx',
    languages: ['en'],
    folder: nliFolder(model),
    host: model.host,
    files: filesOf(model),
    parts: nliFileNames,
  };
}

const crossEncoder = (size: 'small' | 'base'): SpeechModel =>
  nliEntry(nliModels[size], {
    id: `nli-deberta-v3-${size}`,
    name: `NLI DeBERTa v3 ${size}`,
    licence: 'Apache-2.0',
    homepage: `https://huggingface.co/cross-encoder/nli-deberta-v3-${size}`,
  });

/** All that there are, and those that whoever runs the service describes. */
export function registryOf(
  own: readonly SpeechModel[],
  ownNli: NliModel | undefined,
): readonly SpeechModel[] {
  const named = ownNli && {
    id: nliFolder(ownNli).replace('/', '-'),
    name: ownNli.id,
    licence: 'not known',
    homepage: ownNli.host,
  };
  const all = [
    ...sherpaModels,
    crossEncoder('small'),
    crossEncoder('base'),
    ...(ownNli && named ? [nliEntry(ownNli, named)] : []),
    ...builtIn,
  ];
  const ids = new Set(own.map(({ id }) => id));
  return [...own, ...all.filter(({ id }) => !ids.has(id))];
}

/** A name on disk, as it may be: nothing that leads elsewhere. */
const fileName = z
  .string()
  .regex(/^[\w@-][\w.@-]{0,199}$/, 'must be 1 to 200 letters, digits and . _ @ -, and not begin with a dot');
const path = z
  .string()
  .regex(/^(?:[\w@-][\w.@%-]*\/)*[\w@-][\w.@%-]*$/, 'must be a path without a leading slash');
const described = z.strictObject({
  id: z.string().regex(/^[\w-]{1,100}$/, 'must be letters, digits, _ and -'),
  name: z.string().min(1).max(200),
  description: z.string().max(500).default(''),
  type: z.enum(modelTypes),
  family: z.string().regex(/^[\w-]{1,50}$/, 'must be letters, digits, _ and -'),
  licence: z.string().max(200).default('not known'),
  languages: z.array(z.string().max(35)).max(200).readonly().default([]),
  homepage: z.url({ protocol: /^https?$/ }).default('https://example.com'),
  host: z.url({ protocol: /^https?$/ }),
  files: z
    .array(
      z.strictObject({
        /** Of an archive, the one folder in it. */
        name: fileName,
        path,
        bytes: z.int().positive(),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in 64 lower-case hexadecimal digits')
          .nullable(),
      }),
    )
    .min(1)
    .max(20)
    .readonly(),
  parts: z.record(z.string().regex(/^\w{1,50}$/), path),
});

/** Models that whoever runs the service adds, or puts in the place of those of the same id. */
export async function readModels(file: string): Promise<readonly SpeechModel[]> {
  const models = z
    .array(described)
    .max(200)
    .parse(JSON.parse(await readFile(file, 'utf8')));
  return models.map((model) => ({
    ...model,
    format: model.files.some(isArchive) ? 'tar.bz2' : 'onnx',
    folder: `${model.type}/${model.id}`,
    files: model.files.map((one): ModelFile => {
      const { name, bytes: mostBytes, sha256 } = one;
      const file = { name, path: one.path, mostBytes, sha256: sha256 ?? undefined };
      if (!isArchive(one)) return file;
      const below = Object.values(model.parts).filter((part) => part.startsWith(`${name}/`));
      return { ...file, unpack: below.map((part) => part.slice(name.length + 1)) };
    }),
  }));
}

function isArchive(file: { readonly path: string }): boolean {
  return file.path.endsWith('.tar.bz2');
}
