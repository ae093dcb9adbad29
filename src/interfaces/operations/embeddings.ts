import { z } from 'zod';
import type { Models } from '../../application/models.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { type OpenAiDependencies, ROUTED, unknownModel } from '../openai/asking.ts';
import { type AnyOperation, defineText } from '../operation.ts';

const EMBEDDING = 'embedding';
const MOST_TEXTS = 2_048;

const words = lazily(() => z.string().min(1, 'Must not be empty'));

const embeddingRequest = lazily(() =>
  z.object({
    model: z
      .string()
      .max(200)
      .describe('`embedding` or `hark`: the slot `embedding`, whatever model is in it'),
    input: z
      .union([words().transform((text) => [text]), z.array(words()).min(1).max(MOST_TEXTS)], {
        error: `Must be a text or a list of 1 to ${MOST_TEXTS} texts; tokens of other vocabularies cannot be read`,
      })
      .describe('A text or a list of texts, none of them empty. Tokens are refused'),
    encoding_format: z
      .enum(['float', 'base64'])
      .nullish()
      .transform((format) => format ?? 'float'),
    dimensions: z
      .int()
      .min(1)
      .nullish()
      .transform((dimensions) => dimensions ?? undefined)
      .describe(
        'So many of the first numbers, made a vector of length 1 again. Models differ in what that costs',
      ),
    user: z.string().max(256).nullish().describe('Ignored'),
  }),
);

const embeddingList = lazily(() =>
  z.object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        object: z.literal('embedding'),
        index: z.int(),
        embedding: z
          .union([z.array(z.number()), z.string()])
          .describe('With `base64`: numbers of 32 bits, the lowest byte first'),
      }),
    ),
    model: z.string().describe('That which made the vectors: those of another cannot be compared with them'),
    usage: z.object({
      prompt_tokens: z.int().describe('As hark counts them'),
      total_tokens: z.int(),
    }),
  }),
);

interface EmbeddingDependencies extends Pick<OpenAiDependencies, 'takesAnyModel'> {
  readonly models: Pick<Models, 'embed'>;
  readonly countTokens: (texts: readonly string[], owner: string) => Promise<readonly number[]>;
}

/** What texts mean, as numbers. */
export function embeddingOperations(dependencies: EmbeddingDependencies): readonly AnyOperation[] {
  const { models, countTokens, takesAnyModel } = dependencies;
  return [
    defineText({
      name: 'openai.embed',
      area: 'openai',
      device: 'never',
      summary: 'Vectors of texts, in the protocol of OpenAI',
      description:
        'The model of the slot `embedding` makes them. Where that is a local one, no text leaves the machine. ' +
        'Nothing of it is written down.',
      rest: { method: 'POST', path: '/v1/embeddings', text: 'application/json; charset=utf-8' },
      input: embeddingRequest,
      output: embeddingList,
      errors: ['MODEL_UNKNOWN', 'MODEL_UNAVAILABLE', 'MODEL_TIMEOUT', 'REQUEST_REFUSED', 'BILLING_EXHAUSTED'],
      example: { input: { model: EMBEDDING, input: ['I love coffee'] } },
      async run({ model, input: texts, encoding_format: format, dimensions }, caller) {
        if (model !== EMBEDDING && model !== ROUTED && !takesAnyModel()) throw unknownModel(model);
        const { correlationId, signal, userId } = caller;
        const [embedded, tokens] = await Promise.all([
          models.embed({ slot: 'embedding', correlationId, signal }, { texts }),
          countTokens(texts, userId),
        ]);
        const vectors = embedded.vectors.map((vector) => shortened(vector, dimensions));
        const used = tokens.reduce((sum, count) => sum + count, 0);
        return pieces(vectors, format, embedded.model, used);
      },
    }),
  ];
}

function shortened(vector: Float32Array, dimensions: number | undefined): Float32Array {
  if (dimensions === undefined || dimensions === vector.length) return vector;
  if (dimensions > vector.length) {
    const issue = { path: ['dimensions'], message: `The model has ${vector.length}` };
    throw new HarkError('VALIDATION_FAILED', { body: { issues: [issue] } });
  }
  const short = vector.slice(0, dimensions);
  const length = Math.hypot(...short);
  return length === 0 ? short : short.map((number) => number / length);
}

/** Vector by vector: all of them are megabytes. */
async function* pieces(
  vectors: readonly Float32Array[],
  format: 'float' | 'base64',
  model: string,
  tokens: number,
): AsyncGenerator<string> {
  yield '{"object":"list","data":[';
  for (const [index, vector] of vectors.entries()) {
    const { buffer, byteOffset, byteLength } = vector;
    const embedding =
      format === 'base64'
        ? Buffer.from(buffer, byteOffset, byteLength).toString('base64')
        : Array.from(vector);
    yield `${index === 0 ? '' : ','}${JSON.stringify({ object: 'embedding', index, embedding })}`;
  }
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  yield `],"model":${JSON.stringify(model)},"usage":${JSON.stringify(usage)}}`;
}
