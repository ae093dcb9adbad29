import { z } from 'zod';

/* What an Ollama says, of any age: what it leaves out is empty. */

const size = z.number().catch(0);
const word = z.string().catch('');

export const listedModels = z.object({
  models: z
    .array(
      z
        .object({
          name: z.string(),
          model: z.string().optional(),
          size,
          digest: word,
          details: z
            .object({ family: word, parameter_size: word, quantization_level: word })
            .catch({ family: '', parameter_size: '', quantization_level: '' }),
        })
        .transform(({ name, model = name, size, digest, details }) => ({
          name,
          model,
          size,
          digest,
          family: details.family,
          parameterSize: details.parameter_size,
          quantization: details.quantization_level,
        })),
    )
    .nullable()
    .transform((models) => models ?? []),
});

export type RunnerModel = z.output<typeof listedModels>['models'][number];

export const pullLine = z.object({
  status: word,
  digest: z.string().optional(),
  total: z.number().optional(),
  completed: z.number().optional(),
  error: z.string().optional(),
});

export type PullProgress = z.output<typeof pullLine>;

/** An Ollama that keeps a model for good says a time in a few hundred years. */
export const loadedModels = z.object({
  models: z
    .array(z.object({ expires_at: z.string().transform(Date.parse) }))
    .nullable()
    .transform((models) => models ?? []),
});

export const versionSaid = z.object({ version: z.string() });
