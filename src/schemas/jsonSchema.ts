import { z } from 'zod';
import '../validationWords.ts';
import type { Json } from './messages.ts';

const MOST_ISSUES = 10;

/** What is wrong, in words for whoever wrote it. */
export interface Problem {
  readonly problem: string;
  readonly issues?: readonly Issue[];
}

export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** JSON Schema, as it can be checked against. */
export function schemaOf(schema: Json): z.ZodType | Problem {
  try {
    return z.fromJSONSchema({ ...schema });
  } catch (error) {
    return { problem: `is not a JSON Schema: ${error instanceof Error ? error.message : 'unreadable'}` };
  }
}

/** The value with the defaults of its schema. */
export function check(schema: Json, value: unknown): { value: unknown } | Problem {
  const made = schemaOf(schema);
  if (!(made instanceof z.ZodType)) return made;
  const parsed = made.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  const issues = issuesOf(parsed.error);
  return { problem: told(issues), issues };
}

export function issuesOf({ issues }: z.ZodError): readonly Issue[] {
  return issues.slice(0, MOST_ISSUES).map(({ path, message }) => ({
    path: path.map((part) => (typeof part === 'number' ? part : String(part))),
    message,
  }));
}

export function told(issues: readonly Issue[]): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`))
    .join('; ');
}
