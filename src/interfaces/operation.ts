import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/** Who asks, as the carrier made sure of it. */
export interface Caller {
  readonly userId: string;
  readonly correlationId: string;
  /** Lets a repeated request change nothing the second time (`Idempotency-Key`). */
  readonly commandId?: string;
  readonly address: string;
  readonly isLoopback: boolean;
  readonly signal: AbortSignal;
}

export interface RestBinding {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for the input fields that travel in the path; the rest are query or body. */
  readonly path: string;
  readonly status?: number;
  /** `open` needs no key; `key` is the rule under /api. */
  readonly access?: 'open' | 'key';
  /** Which rate limit counts; routes outside /api have none. */
  readonly limit?: 'api' | 'chat' | 'none';
  /** What unknown input fields mean; the specification refuses them on some routes. */
  readonly strict?: true;
}

/**
 * One thing that can be asked of the service, declared once and mounted by every carrier: a REST route, its
 * page in OpenAPI, an MCP tool, a command of the command line.
 */
export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly area: string;
  readonly summary: string;
  readonly description?: string;
  readonly rest: RestBinding;
  readonly input: Input;
  readonly output: Output;
  /** What may be refused, beside what every operation may. */
  readonly errors: readonly ErrorCode[];
  /** Shown in OpenAPI, and run by a test against the started service. */
  readonly example: { readonly input: z.input<Input>; readonly output?: unknown };
  run(input: z.output<Input>, caller: Caller): Promise<z.output<Output>> | z.output<Output>;
}

export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> {
  return operation;
}
