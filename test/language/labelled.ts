import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** `heldOut` was not looked at while rules were written. */
export const parts = ['seen', 'heldOut'] as const;

const part = z.enum(parts);
const statement = z.object({
  part,
  text: z.string(),
  expect: z.array(
    z.object({
      slot: z.string(),
      value: z.string(),
      negated: z.boolean().default(false),
      /** What it says was wrong. */
      replaces: z.string().optional(),
      /** True of the user, and no mistake when it is not found. */
      optional: z.boolean().default(false),
    }),
  ),
});
const names = z.object({
  part,
  text: z.string(),
  entities: z.array(z.string()),
  relationships: z.array(z.string()),
});

export type LabelledStatements = z.output<typeof statement>;

export const labelledStatements = (): readonly LabelledStatements[] => linesOf('statements.jsonl', statement);
export const labelledNames = () => linesOf('names.jsonl', names);

function linesOf<Line>(file: string, line: z.ZodType<Line>): readonly Line[] {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n');
  return lines.map((text) => line.parse(JSON.parse(text)));
}

/** What was found against what is there. */
export class Score {
  right = 0;
  readonly wrong: string[] = [];
  readonly missed: string[] = [];

  get precision(): number {
    return this.right / (this.right + this.wrong.length);
  }

  get recall(): number {
    return this.right / (this.right + this.missed.length);
  }

  toString(): string {
    const found = this.right + this.wrong.length;
    return `precision ${this.precision.toFixed(3)} of ${found}, recall ${this.recall.toFixed(3)} of ${this.right + this.missed.length}`;
  }
}
