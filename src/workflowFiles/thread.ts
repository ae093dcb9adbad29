import { parentPort } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../crashReports.ts';
import type { FromThread, ThreadRequest } from '../restingThread.ts';
import { check } from '../schemas/jsonSchema.ts';
import { evaluate, fill, summaryOf } from './expressions.ts';
import type { Job, JobResult } from './messages.ts';
import { readFile } from './readFile.ts';

/* A thread of its own, since what is written in a file or an input may take as long as it likes. */

const LONGEST = 256 * 1_024;

keepEnvironmentOutOfCrashReports();
const port = parentPort;
if (!port) throw new Error('Definitions are read in a worker thread');

port.postMessage('ready' satisfies FromThread<JobResult>);
port.on('message', ({ id, job }: ThreadRequest<Job>) => {
  port.postMessage({ id, answer: answer(job) } satisfies FromThread<JobResult>);
});

function answer(job: Job): JobResult {
  try {
    return answerTo(job);
  } catch (error) {
    return { problem: summaryOf(error) };
  }
}

function answerTo(job: Job): JobResult {
  switch (job.kind) {
    case 'read':
      return readFile(job.file, job.text);
    case 'check':
      return check(job.schema, job.value);
    case 'fill':
      return bounded(fill(job.template, (expression) => evaluate(expression, job.variables)));
    case 'holds': {
      const value = evaluate(job.expression, job.variables);
      return typeof value === 'boolean' ? { value } : { problem: 'A condition must be true or false' };
    }
  }
}

/** A few expressions can repeat what is long as often as they like. */
function bounded(value: unknown): JobResult {
  const { length } = JSON.stringify(value) ?? '';
  return length > LONGEST ? { problem: `Becomes longer than ${LONGEST / 1_024} KiB` } : { value };
}
