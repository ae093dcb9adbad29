import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { z } from 'zod';
import { loadOnnxruntime, type Onnxruntime } from '../../onnxruntime.ts';
import { digestOf } from '../modelFiles/digest.ts';
import type { NliThreadData, Refusal } from './messages.ts';
import type { ModelPart, NliLabel } from './models.ts';

const MOST_TOKENS = 512;
const INPUTS: ReadonlySet<string> = new Set(['input_ids', 'attention_mask', 'token_type_ids']);
const OUTPUT = 'logits';

/** Of a model whose configuration says nothing else. */
const defaults = { padding: 0, mostTokens: MOST_TOKENS } as const;
const configSchema = z.looseObject({
  id2label: z.record(z.string(), z.string()),
  pad_token_id: z.int().nonnegative().default(defaults.padding),
  max_position_embeddings: z.int().positive().default(defaults.mostTokens),
});
const labelSchema = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['contradiction', 'entailment', 'neutral']));
const tokenizerSchema = z.looseObject({ model: z.looseObject({}) });

export interface LoadedModel {
  readonly session: InferenceSession;
  readonly Tensor: typeof Tensor;
  readonly tokenizer: Tokenizer;
  /** By the place of the output. */
  readonly labels: readonly NliLabel[];
  readonly padding: number;
  readonly mostTokens: number;
}

/** A model that is not what it has to be. */
export class RefusedModel extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.because, options);
    this.refusal = refusal;
  }
}

/** Opens a model after a look at each of its files: none that is not what was pinned is ever read as a model. */
export async function loadModel(given: NliThreadData): Promise<LoadedModel> {
  const { model, config, threads } = given;
  for (const part of ['config', 'tokenizer', 'model'] as const) {
    const pinned = given[part];
    if ('file' in pinned && (await digestOf(pinned.file)) !== pinned.digest)
      throw new RefusedModel({ because: 'checksum', part });
  }
  const described = 'file' in config ? await readConfig(config.file) : { ...defaults, ...config };
  const tokenizer = await openTokenizer(given.tokenizer.file);
  const runtime = await loadOnnxruntime().catch((cause) => {
    throw new RefusedModel({ because: 'runtime' }, { cause });
  });
  const session = await openSession(runtime, model.file, threads);
  return { session, Tensor: runtime.Tensor, tokenizer, ...described };
}

type Described = Pick<LoadedModel, 'labels' | 'padding' | 'mostTokens'>;

async function readConfig(file: string): Promise<Described> {
  const config = await readJson(file, 'config', configSchema);
  const labels = labelsIn(config.id2label);
  if (!labels) throw new RefusedModel({ because: 'labels', part: 'config' });
  return {
    labels,
    padding: config.pad_token_id,
    mostTokens: Math.min(MOST_TOKENS, config.max_position_embeddings),
  };
}

function labelsIn(id2label: Readonly<Record<string, string>>): readonly NliLabel[] | undefined {
  const order = Object.keys(id2label).map((_, index) => labelSchema.safeParse(id2label[index]).data);
  const found = order.filter((label) => label !== undefined);
  return found.length === 3 && new Set(found).size === 3 ? found : undefined;
}

async function readJson<Schema extends z.ZodType>(
  file: string,
  part: ModelPart,
  schema: Schema,
): Promise<z.output<Schema>> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new RefusedModel({ because: 'unreadable', part }, { cause });
  }
}

async function openTokenizer(file: string): Promise<Tokenizer> {
  const described = await readJson(file, 'tokenizer', tokenizerSchema);
  try {
    return new Tokenizer(described, {});
  } catch (cause) {
    throw new RefusedModel({ because: 'unreadable', part: 'tokenizer' }, { cause });
  }
}

async function openSession(runtime: Onnxruntime, file: string, threads: number): Promise<InferenceSession> {
  const session = await runtime.InferenceSession.create(file, {
    intraOpNumThreads: threads,
    // Turns of chat need the processor more than a thread that waits for work.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }).catch((cause) => {
    throw new RefusedModel({ because: 'unreadable', part: 'model' }, { cause });
  });
  const { inputNames, outputNames } = session;
  const isFed = inputNames.every((name) => INPUTS.has(name)) && inputNames.includes('input_ids');
  if (isFed && outputNames.includes(OUTPUT)) return session;
  await session.release();
  throw new RefusedModel({ because: isFed ? 'outputs' : 'inputs' });
}
