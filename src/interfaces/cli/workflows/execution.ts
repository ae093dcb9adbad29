import type { Command } from 'commander';
import { z } from 'zod';
import { globalOptions } from '../options.ts';
import { print, printDocument, printRows, showTime } from '../output.ts';

export const oneExecution = z.looseObject({
  execution: z.looseObject({
    id: z.string(),
    workflowId: z.string(),
    state: z.string(),
    output: z.record(z.string(), z.unknown()).nullable(),
    error: z.string().nullable(),
    steps: z.array(
      z.looseObject({
        id: z.string(),
        state: z.string(),
        attempts: z.number(),
        until: z.number().nullable(),
        error: z.string().nullable(),
      }),
    ),
  }),
});
type OneExecution = z.output<typeof oneExecution>;

export function tell(command: Command, answer: OneExecution): void {
  if (globalOptions(command).json) {
    printDocument(answer);
    return;
  }
  const { id, workflowId, state, output, error, steps } = answer.execution;
  printRows([[state, id, workflowId, error ?? '']]);
  printRows(
    steps.map((step) => {
      const until = step.until === null ? '' : `until ${showTime(step.until)}`;
      const attempts = step.attempts > 1 ? `${step.attempts} attempts` : '';
      return ['', step.id, step.state, [until, attempts, step.error ?? ''].filter(Boolean).join(', ')];
    }),
  );
  if (output) print(JSON.stringify(output, undefined, 2));
}
