import { acted } from '../state/hand.ts';
import { anotherKey, apiKey } from './key.ts';
import { hearTime } from './now.ts';
import type { Operations } from './operations.d.ts';
import { chosenUser } from './user.ts';

export type OperationName = keyof Operations;
export type Input<Name extends OperationName> = Operations[Name]['input'];
export type Output<Name extends OperationName> = Operations[Name]['output'];
export type Message<Name extends OperationName> = Operations[Name]['message'];

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** No key is waited for: something else is shown in its place. */
  readonly withoutKey?: boolean;
}

/** A refusal of the service, or nobody there: then the status is 0. */
export class Refusal extends Error {
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  readonly correlationId: string | undefined;
  readonly body: unknown;

  constructor(status: number, body: RefusalBody, correlationId?: string | null) {
    super(body.message ?? body.error ?? '');
    this.status = status;
    this.retryAfter = body.retryAfter;
    this.issues = body.issues ?? [];
    this.correlationId = correlationId ?? undefined;
    this.body = body;
  }

  /** Whether it is worth asking again: nobody is there, too many ask, or what the service needs is away. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 503;
  }
}

interface RefusalBody {
  readonly error?: string;
  readonly message?: string;
  readonly retryAfter?: number;
  readonly issues?: Refusal['issues'];
}

/** Asks for an operation, by the types that the service declares it with. */
export async function ask<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options?: AskOptions,
): Promise<Output<Name>> {
  const answer = await send(name, input, options);
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return (isJson ? answer.json() : answer.text()).catch(unlessStopped(options?.signal));
}

/** A connection that is lost, before the answer or in the midst of it: nobody is there. */
function unlessStopped(signal?: AbortSignal | null) {
  return (error: unknown) => {
    throw signal?.aborted ? error : new Refusal(0, {});
  };
}

/**
 * The answer itself, for what is told in pieces. Where the service wants another key, this waits until somebody has
 * given it: nothing that was typed is lost.
 */
export async function send<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  { signal, headers = {}, withoutKey = false }: AskOptions = {},
): Promise<Response> {
  const { url, init } = requestOf(name, input);
  const change = init.method === 'GET' ? undefined : acted;
  change?.();
  for (;;) {
    const key = apiKey();
    const user = chosenUser();
    const shown = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(user === undefined ? {} : { 'x-user-id': user }),
    };
    const sent = { ...init, headers: { ...init.headers, ...headers, ...shown }, signal: signal ?? null };
    const answer = await fetch(url, sent).catch(unlessStopped(signal));
    change?.();
    hearTime(answer.headers.get('date'));
    if (answer.ok) return answer;
    const body: RefusalBody = await answer.json().catch(() => ({}));
    if (answer.status !== 401 || withoutKey)
      throw new Refusal(answer.status, body, answer.headers.get('x-correlation-id'));
    await anotherKey(key);
    signal?.throwIfAborted();
  }
}

/** The fields that the path names go there; the rest is the query of a GET or DELETE, else the body. */
function requestOf(name: string, input: Readonly<Record<string, unknown>>) {
  const [method = '', path = ''] = name.split(' ');
  const rest = { ...input };
  const filled = path.replace(/:(\w+)/g, (_, field: string) => {
    const value = String(rest[field]);
    delete rest[field];
    return encodeURIComponent(value);
  });
  if (method === 'POST' || method === 'PUT') {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    return { url: filled, init: { method, headers, body: JSON.stringify(rest) } };
  }
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(fields.map(([field, value]) => [field, String(value)]));
  const headers: Record<string, string> = {};
  return { url: query.size > 0 ? `${filled}?${query}` : filled, init: { method, headers } };
}
