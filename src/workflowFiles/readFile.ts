import { parseDocument } from 'yaml';
import { z } from 'zod';
import {
  allSteps,
  type Step,
  stepsBefore,
  type WorkflowDefinition,
  workflowDefinition,
} from '../events/workflowDefinition.ts';
import { issuesOf, type Problem, schemaOf, told } from '../schemas/jsonSchema.ts';
import { complaintAbout, expressionsIn } from './expressions.ts';

const MOST_ALIASES = 100;

/** A file of YAML or JSON, which is YAML too, as the workflow that it defines. */
export function readFile(file: string, text: string): { definition: WorkflowDefinition } | Problem {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const [error] = document.errors;
  if (error) return { problem: firstLine(error.message) };
  const given: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { problem: 'A workflow is an object with steps' };
  const parsed = workflowDefinition().safeParse({ name: file.replace(/\.\w+$/, ''), ...given });
  if (!parsed.success) return { problem: told(issuesOf(parsed.error)) };
  const problem = complaint(parsed.data);
  return problem === undefined ? { definition: parsed.data } : { problem };
}

function complaint({ input, output, result, steps }: WorkflowDefinition): string | undefined {
  const all = allSteps(steps);
  for (const [place, schema] of [
    ['input', input],
    ['output', output],
  ] as const) {
    if (!schema) continue;
    const made = schemaOf(schema);
    if (!(made instanceof z.ZodType)) return `${place}: ${made.problem}`;
    if (schema.type !== 'object') return `${place}: must be a schema of an object`;
  }
  for (const step of all) {
    if (step.type === 'PROMPT' && step.schema) {
      const made = schemaOf(step.schema);
      if (!(made instanceof z.ZodType)) return `step ${step.id}: schema: ${made.problem}`;
    }
    const before = new Set(stepsBefore(steps, step.id));
    const wrong = firstComplaint(expressionsOf(step), before);
    if (wrong) return `step ${step.id}: ${wrong}`;
  }
  const wrong = firstComplaint(expressionsIn(result), new Set(all.map(({ id }) => id)));
  return wrong && `result: ${wrong}`;
}

function expressionsOf(step: Step): readonly string[] {
  const own = step.if === undefined ? [] : [step.if];
  switch (step.type) {
    case 'ACTION':
      return [...own, ...expressionsIn(step.input)];
    case 'PROMPT':
      return [...own, ...expressionsIn(step.prompt), ...expressionsIn(step.system)];
    case 'WAIT':
      return [...own, ...expressionsIn(step.until)];
    case 'CONDITION':
      return [...own, step.condition];
    case 'EVENT':
      return [...own, ...expressionsIn(step.payload)];
    case 'PARALLEL':
      return own;
  }
}

function firstComplaint(expressions: readonly string[], steps: ReadonlySet<string>): string | undefined {
  for (const expression of expressions) {
    const complaint = complaintAbout(expression, steps);
    if (complaint) return `${JSON.stringify(expression.slice(0, 100))}: ${complaint}`;
  }
  return undefined;
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/:$/, '') ?? '';
}
