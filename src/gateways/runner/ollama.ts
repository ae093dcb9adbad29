import { type ChildProcess, spawn } from 'node:child_process';
import { z } from 'zod';

/**
 * Starts Ollama as a process that outlives this one: other programs may use it too. Of this process's
 * environment it gets only what Ollama itself reads, so that no key of ours is in its.
 */
export function serveOllama(binary: string, host: string): ChildProcess {
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|USER|TMPDIR|OLLAMA_\w+)$/.test(name),
  );
  const env = { ...Object.fromEntries(passed), OLLAMA_HOST: host };
  const child = spawn(binary, ['serve'], { env, detached: true, stdio: 'ignore' });
  child.unref();
  return child;
}

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

/** No message of a runner is as long; what is, is none. */
const LONGEST_LINE = 1_048_576;

/** The lines of a body as they come. Throws for one that does not end. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new TypeError('A line without an end');
    for (const line of lines) if (line.trim()) yield line;
  }
  if (rest.trim()) yield rest;
}
