import type { Command } from 'commander';
import { z } from 'zod';
import { CliFailure, exitCodes } from './failure.ts';
import { type GlobalOptions, globalOptions } from './options.ts';
import { printable } from './output.ts';
import { namedUser } from './user.ts';

const TIMEOUT_MS = 15_000;

const errorBody = z.object({
  error: z.string().optional(),
  message: z.string().optional(),
  errorCode: z.string().optional(),
  issues: z.array(z.looseObject({ message: z.string(), path: z.array(z.unknown()).optional() })).optional(),
});

type ErrorBody = z.output<typeof errorBody>;

const exitCodesByError: Readonly<Record<string, number>> = {
  RESOURCES_BUSY: exitCodes.busy,
  PROFILE_DISCONNECTED: exitCodes.disconnected,
};

type Query = Readonly<Record<string, string | number | undefined>>;

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** What takes its time is waited for longer. */
  readonly timeoutMs?: number;
}

/** Asks a running service. Every answer but a good one ends the command. */
export class RestClient {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ url, apiKey, user }: Pick<GlobalOptions, 'url' | 'apiKey'> & { user?: string | undefined }) {
    this.#base = url.replace(/(?<!\/)\/*$/, '/');
    this.#headers = {
      ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
      ...(user === undefined ? {} : { 'x-user-id': user }),
    };
  }

  async get<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    query: Query = {},
  ): Promise<z.output<Schema>> {
    return this.ask(path, schema, { query });
  }

  async ask<Schema extends z.ZodType>(path: string, schema: Schema, sent: Sent): Promise<z.output<Schema>> {
    const timeout = AbortSignal.timeout(sent.timeoutMs ?? TIMEOUT_MS);
    const response = await this.request(path, sent, timeout);
    const parsed = schema.safeParse(await this.#json(response));
    if (!parsed.success) throw this.#notOurs();
    return parsed.data;
  }

  /** The answer as soon as its head is there, for those who read the body as it comes. */
  async request(
    path: string,
    { method = 'GET', query = {}, headers = {}, body }: Sent,
    signal: AbortSignal,
  ): Promise<Response> {
    const url = new URL(path.replace(/^\//, ''), this.#base);
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    let response: Response;
    try {
      const all = { ...this.#headers, ...type, ...headers };
      response = await fetch(url, { method, headers: all, signal, redirect: 'error', ...content });
    } catch (error) {
      throw this.#unreachable(error);
    }
    if (!response.ok) throw await this.#refused(response);
    return response;
  }

  async #json(response: Response): Promise<unknown> {
    try {
      return await response.json();
    } catch (error) {
      throw error instanceof SyntaxError ? this.#notOurs() : this.#unreachable(error);
    }
  }

  async #refused(response: Response): Promise<RequestFailure> {
    const parsed = errorBody.safeParse(await response.json().catch(() => undefined));
    const body = parsed.success ? parsed.data : {};
    const { status } = response;
    const exitCode = exitCodesByError[body.errorCode ?? ''] ?? exitCodes.failed;
    const retryAfterMs = 1_000 * Number(response.headers.get('retry-after') ?? 0);
    const isKeySent = this.#headers.authorization !== undefined;
    return new RequestFailure(describe(status, body, isKeySent), exitCode, status, retryAfterMs || 0);
  }

  #unreachable(error: unknown): RequestFailure {
    const hint = 'Is it running? Start it with: hark start';
    return new RequestFailure(`Cannot reach ${this.#base} (${whyUnreachable(error)}). ${hint}`);
  }

  #notOurs(): CliFailure {
    return new CliFailure(`The server at ${this.#base} is not hark`);
  }
}

/** Status 0: there was no answer at all. */
export class RequestFailure extends CliFailure {
  readonly status: number;
  readonly retryAfterMs: number;

  constructor(message: string, exitCode: number = exitCodes.failed, status = 0, retryAfterMs = 0) {
    super(message, exitCode);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /** The same request may go through a little later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Of several places for one key, it helps to know which counts. */
const WHICH_KEY =
  'a key was sent: that of --api-key, HARK_API_KEY or HARK_API_KEY_FILE, else that of SERVICE_API_KEY';

function describe(status: number, { error, message, issues = [] }: ErrorBody, isKeySent: boolean): string {
  const said = [error, message === error ? undefined : message].filter((part) => part !== undefined);
  const details = issues.map(({ path = [], message: what }) => `${path.join('.')} ${what}`.trim());
  const wanted = isKeySent ? WHICH_KEY : 'give the key with --api-key or HARK_API_KEY';
  const hint = status === 401 ? [wanted] : [];
  return printable([`${status} ${said.join(': ')}`.trim(), ...details, ...hint].join('; '));
}

function whyUnreachable(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return cause instanceof Error ? cause.message : 'the connection was lost';
}

export function clientOf(command: Command): RestClient {
  return new RestClient({ ...globalOptions(command), user: namedUser(command) });
}
