import { field, isRecord, numberOf, textOf } from './loose.ts';

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

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What a provider asks its callers to wait, from its headers or else from its words. */
function retryAfterMs(
  from: { readonly headers: Headers; readonly text: string },
  now: number,
): number | undefined {
  return (
    number(from.headers.get('retry-after-ms'), 1) ??
    number(from.headers.get('retry-after'), 1_000) ??
    untilDate(from.headers.get('retry-after'), now) ??
    inWords(from.text) ??
    untilReset(from.headers.get('x-ratelimit-reset'), now)
  );
}

function number(value: string | null, unit: number): number | undefined {
  return value !== null && /^\d+(?:\.\d+)?$/.test(value.trim())
    ? Math.round(Number(value) * unit)
    : undefined;
}

function untilDate(value: string | null, now: number): number | undefined {
  const at = value === null ? Number.NaN : Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** "Please try again in 7m12.5s", "retry in 32 seconds". */
function inWords(text: string): number | undefined {
  const said =
    /(?:try again|retry|wait) (?:in|after|for)? ?((?:\d{1,9}(?:\.\d{1,9})? ?(?:ms|s|m|h|d)[a-z]* ?)+)/i.exec(
      text,
    );
  if (!said?.[1]) return undefined;
  let ms = 0;
  for (const [, value = '', unit = ''] of said[1].matchAll(/(\d{1,9}(?:\.\d{1,9})?) ?(ms|s|m|h|d)/gi)) {
    ms += Number(value) * (UNITS[unit.toLowerCase()] ?? 0);
  }
  return Math.round(ms);
}

/** OpenRouter's: Unix milliseconds. Others say seconds, or something else by the same name. */
function untilReset(value: string | null, now: number): number | undefined {
  return value !== null && /^\d{13}$/.test(value) ? Math.max(0, Number(value) - now) : undefined;
}
