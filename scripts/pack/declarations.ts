import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { describedVariables } from '../../src/config.ts';

const shape = z.looseObject({ type: z.string().optional(), enum: z.array(z.string()).optional() });

/** What TypeScript knows of the package: one file with nothing of zod in it. */
export function writeDeclarations(file: string): void {
  writeFileSync(file, declarations());
}

function declarations(): string {
  const variables = describedVariables().map(
    ({ name, about, schema }) => `  /** ${about}. */\n  readonly ${name}?: ${typeOf(schema)};`,
  );
  return `/** A configuration that cannot be: one line a variable. */
export interface ConfigError extends Error {
  readonly name: 'ConfigError';
  readonly problems: readonly string[];
}

/** The variables of hark under their names. Nothing is read from the environment unless \`env\` gives it. */
export interface Options {
  /** Variables that the options do not name are taken from here: \`env: process.env\`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
${variables.join('\n')}
}

/** Where it listens. */
export interface Ports {
  /** REST, the dashboard, and voice as well. */
  readonly health: number;
  /** Tools, over MCP. */
  readonly mcp: number;
  readonly voice: number;
}

export interface RunningService {
  readonly ports: Ports;
  /** Of REST and the dashboard. */
  readonly url: string;
  /** Answers what was asked, then takes everything down. What was acknowledged is on disk. */
  stop(): Promise<void>;
}

/** Starts hark in this process; several may run beside each other. Rejects with a \`ConfigError\` or the reason of the system. */
export function startService(options?: Options): Promise<RunningService>;
`;
}

function typeOf(schema: unknown): string {
  const { type, enum: values } = shape.parse(schema);
  if (values) return values.map((value) => `'${value}'`).join(' | ');
  if (type === 'integer' || type === 'number') return 'number | string';
  return type === 'boolean' ? 'boolean | string' : 'string';
}
