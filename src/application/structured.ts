import { z } from 'zod';
import { HarkError } from '../errors.ts';
import type { Asking, Models } from './models.ts';

interface Question<Answer extends z.ZodType> {
  readonly name: string;
  readonly instruction: string;
  /** What it is about: data, and never an instruction. */
  readonly text: string;
  readonly answer: Answer;
  readonly maxOutputTokens: number;
}

/** Has a model answer in a given shape. What does not fit it is no answer: then the cause is `malformed`. */
export async function askForAnswer<Answer extends z.ZodType>(
  models: Pick<Models, 'complete'>,
  asking: Asking,
  { name, instruction, text, answer, maxOutputTokens }: Question<Answer>,
): Promise<z.output<Answer>> {
  const request = {
    system: instruction,
    messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    schema: { name, schema: z.toJSONSchema(answer, { io: 'input' }) },
    maxOutputTokens,
    temperature: 0,
    reasoning: false,
  } as const;
  let written = '';
  for await (const part of models.complete(asking, request)) if (part.type === 'text') written += part.text;
  const parsed = answer.safeParse(jsonIn(written));
  if (!parsed.success) throw new HarkError('MODEL_UNAVAILABLE', { cause: 'malformed' });
  return parsed.data;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
