import { z } from 'zod';
import '../validationWords.ts';
import { conversationVariables } from './conversations.ts';
import { facts } from './kinds.ts';
import { memoryVariables } from './memory.ts';
import { modelVariables } from './models.ts';
import { serviceVariables } from './service.ts';

/*
 * Every environment variable, in one table. A variable with `setting` can also be changed while the service
 * runs, under that key; `restart` says that the change is only felt after a restart of what uses it.
 */
export const environmentSchema = z.object({
  ...serviceVariables,
  ...modelVariables,
  ...conversationVariables,
  ...memoryVariables,
});

/** Every variable that is read, in the order of the table. */
export const variableNames: readonly string[] = Object.keys(environmentSchema.shape);

/** Each variable with what it is for, and as what a program may give it (JSON Schema). */
export function describedVariables() {
  return Object.entries(environmentSchema.shape).map(([name, schema]) => ({
    name,
    about: facts.get(schema)?.about ?? '',
    schema: z.toJSONSchema(schema, { unrepresentable: 'any', metadata: z.registry() }),
  }));
}

/** What may also lie in a file: `SERVICE_API_KEY_FILE` names that of `SERVICE_API_KEY`. */
export const secretNames: ReadonlySet<string> = new Set(
  Object.entries(environmentSchema.shape)
    .filter(([, schema]) => facts.get(schema)?.secret)
    .map(([name]) => name),
);

type Values = z.output<typeof environmentSchema>;

export type Variable = keyof Values;

export type Config = Readonly<Values> & {
  /** The variables that the environment set, as opposed to their defaults. */
  readonly fromEnvironment: ReadonlySet<string>;
};
