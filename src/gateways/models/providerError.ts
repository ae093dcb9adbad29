import { field, isRecord, numberOf, textOf } from './loose.ts';
import { retryAfterMs } from './retryAfter.ts';

/** What an error of an SDK, or of `fetch`, says of what happened, wherever each of them keeps it. */
export interface ProviderError {
  readonly status: number | undefined;
  /** The provider's words for it, most telling first. */
  readonly codes: readonly string[];
  /** May quote prompt and key: to be looked through, and never to be handed on. */
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  /** A gateway says that the provider behind it refused. */
  readonly ofUpstream: boolean;
}

/** An answer with an error, of a provider that is asked without an SDK. Of the shape of the SDKs' errors. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly error: unknown;

  constructor(error: unknown, status?: number, headers?: Headers) {
    super('HTTP error');
    this.error = error;
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Anthropic's SDK keeps the body with its envelope, OpenAI's without; OpenRouter puts the status into the body as
 * well, and only there within a stream; Ollama's body is a text. A body that is no JSON is in the message.
 */
export function readProviderError(error: unknown, now: number = Date.now()): ProviderError {
  const body = field(error, 'error');
  const inner = isRecord(field(body, 'error')) ? field(body, 'error') : body;
  const code = field(inner, 'code');
  const metadata = field(inner, 'metadata');
  const message = textOf(inner) ?? textOf(field(inner, 'message')) ?? textOf(field(error, 'message')) ?? '';
  const raw = field(metadata, 'raw');
  const text = raw === undefined ? message : `${message} ${textOf(raw) ?? JSON.stringify(raw)}`;
  const codes = [
    field(field(inner, 'details'), 'error_code'),
    code,
    field(inner, 'type'),
    field(inner, 'status'),
  ];
  return {
    status: numberOf(field(error, 'status')) ?? numberOf(code),
    codes: codes.filter((one) => typeof one === 'string'),
    text,
    retryAfterMs: retryAfterMs({ headers: headersOf(error, metadata), text }, now),
    ofUpstream: textOf(field(metadata, 'provider_name')) !== undefined,
  };
}

function headersOf(error: unknown, metadata: unknown): Headers {
  const headers = field(error, 'headers');
  const all = new Headers(headers instanceof Headers ? headers : undefined);
  const more = field(metadata, 'headers');
  if (isRecord(more)) {
    for (const [name, value] of Object.entries(more)) {
      if (typeof value === 'string' && !all.has(name)) all.set(name, value);
    }
  }
  return all;
}

/** The system's or undici's code, of the error itself or of what caused it. */
export function systemCode(error: unknown): string | undefined {
  let one = error;
  for (let depth = 0; depth < 5 && one instanceof Error; depth++) {
    const code = field(one, 'code');
    if (typeof code === 'string' && /^[A-Z][A-Z_\d]+$/.test(code)) return code;
    // With several addresses, `fetch` reports one error for each.
    one = one instanceof AggregateError ? one.errors[0] : one.cause;
  }
  return undefined;
}
