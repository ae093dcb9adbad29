import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { keepEnvironmentOutOfCrashReports } from '../crashReports.ts';
import type { FromThread, ThreadRequest } from '../restingThread.ts';
import { schemaOf } from './jsonSchema.ts';
import type { SchemaAnswer, SchemaJob } from './messages.ts';

/* A thread of its own, since a schema may take as long as whoever wrote it likes. */

const LONGEST_COMPLAINT = 4_000;

keepEnvironmentOutOfCrashReports();
const port = parentPort;
if (!port) throw new Error('Schemas are held against values in a worker thread');

port.postMessage('ready' satisfies FromThread<SchemaAnswer>);
port.on('message', ({ id, job }: ThreadRequest<SchemaJob>) => {
  port.postMessage({ id, answer: answer(job) } satisfies FromThread<SchemaAnswer>);
});

function answer({ schema, text }: SchemaJob): SchemaAnswer {
  const made = schemaOf(schema);
  if (!(made instanceof z.ZodType)) return { unreadable: made.problem };
  try {
    const result = text === undefined ? undefined : made.safeParse(JSON.parse(text));
    if (!result || result.success) return {};
    return { wrong: z.prettifyError(result.error).slice(0, LONGEST_COMPLAINT) };
  } catch {
    // Such as a schema that names itself, and a value nested too deep for it.
    return { wrong: 'It cannot be held against the schema.' };
  }
}
