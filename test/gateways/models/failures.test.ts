import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, test } from 'vitest';
import { classify } from '../../../src/gateways/models/classify.ts';
import type { FailureKind } from '../../../src/gateways/models/failure.ts';
import { HttpError } from '../../../src/gateways/models/providerError.ts';
import type { ProviderId } from '../../../src/vocabulary.ts';

/** What becomes of an answer: its kind, the wait it asks for, and `modelOnly`. */
interface Case {
  /** Undefined within a stream that had begun. */
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly kind: FailureKind;
  readonly retryAfterMs?: number;
  readonly modelOnly?: true;
}

const NOW = Date.UTC(2026, 10, 21, 12);

/* The providers' own words, as they were met in the wild. */

const anthropic: readonly Case[] = [
  of(
    'billing',
    400,
    says(
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
  ),
  of(
    'billing',
    400,
    says(
      'invalid_request_error',
      'You have reached your specified API usage limits. You will regain access on 2026-04-01 at 00:00 UTC.',
    ),
  ),
  of(
    'billing',
    400,
    says(
      'invalid_request_error',
      'You have reached your specified workspace API usage limits. You will regain access on 2026-04-01 at 00:00 UTC.',
    ),
  ),
  of(
    'billing',
    403,
    says('billing_error', 'There is an issue with your organization’s billing or payment information.'),
  ),
  of(
    'billing',
    429,
    says('rate_limit_error', 'Spend limit reached.', { error_code: 'enforced_spend_limit_reached' }),
  ),
  of(
    'billing',
    429,
    says('rate_limit_error', 'This organization has reached the limit of its contract.', {
      error_code: 'contract_spend_limit_reached',
    }),
  ),
  {
    ...of('billing', 429, says('rate_limit_error', 'Extra usage is required for long context requests.')),
    modelOnly: true,
  },
  {
    ...of(
      'rate-limit',
      429,
      says(
        'rate_limit_error',
        "This request would exceed your organization's rate limit of 30,000 input tokens per minute " +
          '(org: 0dccdde6-f924-4f1b-bb3b-92ef846e0a5b, model: claude-sonnet-5). For details, refer to: ' +
          'https://docs.claude.com/en/api/rate-limits. Please reduce the prompt length or the maximum ' +
          'tokens requested, or try again later.',
      ),
    ),
    headers: { 'retry-after': '41' },
    retryAfterMs: 41_000,
  },
  {
    ...of(
      'rate-limit',
      429,
      says(
        'rate_limit_error',
        'Number of concurrent connections has exceeded your rate limit. Please try again later or contact sales.',
      ),
    ),
    headers: { 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' },
    retryAfterMs: 30_000,
  },
  of(
    'rate-limit',
    429,
    says('rate_limit_error', 'Usage is growing too fast.', { error_code: 'ramp_limit_exceeded' }),
  ),
  of('overload', 529, says('overloaded_error', 'Overloaded')),
  of('overload', undefined, says('overloaded_error', 'Overloaded')),
  of('overload', 500, says('api_error', 'Internal server error')),
  of('overload', undefined, says('api_error', 'Internal server error')),
  of(
    'overload',
    503,
    'upstream connect error or disconnect/reset before headers. reset reason: connection failure',
  ),
  of('timeout', 504, says('timeout_error', 'The request timed out.')),
  of('key', 401, says('authentication_error', 'invalid x-api-key')),
  of('key', 401, says('authentication_error', 'x-api-key header is required')),
  of('key', 400, says('invalid_request_error', 'This organization has been disabled.')),
  of(
    'key',
    403,
    says('permission_error', 'Your API key does not have permission to use the specified resource.'),
  ),
  of('model-unknown', 404, says('not_found_error', 'model: claude-5-sonnet')),
  of('unknown', 404, says('not_found_error', 'Not found')),
  of('bad-request', 400, says('invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum')),
  of(
    'bad-request',
    400,
    says(
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease input length or `max_tokens` and try again',
    ),
  ),
  of('bad-request', 413, says('request_too_large', 'Request exceeds the maximum size')),
  of(
    'bad-request',
    400,
    says(
      'invalid_request_error',
      'messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01. ' +
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    ),
  ),
];

const openai: readonly Case[] = [
  of(
    'billing',
    429,
    tells(
      'You exceeded your current quota, please check your plan and billing details. For more ' +
        'information on this error, read the docs: ' +
        'https://platform.openai.com/docs/guides/error-codes/api-errors.',
      'insufficient_quota',
      'insufficient_quota',
    ),
  ),
  of(
    'billing',
    429,
    tells(
      'Your account is not active, please check your billing details on our website.',
      'billing_not_active',
      'billing_not_active',
    ),
  ),
  of(
    'billing',
    400,
    tells('Billing hard limit has been reached', 'invalid_request_error', 'billing_hard_limit_reached'),
  ),
  {
    ...of(
      'billing',
      429,
      tells(
        'You exceeded your current quota, please check your plan and billing details. For more ' +
          'information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.\n* ' +
          'Quota exceeded for metric: ' +
          'generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 20, model: ' +
          'gemini-2.5-flash\nPlease retry in 32.5s.',
        undefined,
        undefined,
        { status: 'RESOURCE_EXHAUSTED' },
      ),
    ),
    modelOnly: true,
    retryAfterMs: 32_500,
  },
  {
    ...of(
      'billing',
      429,
      tells(
        'Rate limit reached for gpt-4o in organization org-uOtiSEwvUnroadaOnJJquBEC on requests per ' +
          'day (RPD): Limit 200, Used 200, Requested 1. Please try again in 7m12s. Visit ' +
          'https://platform.openai.com/account/rate-limits to learn more.',
        'requests',
        'rate_limit_exceeded',
      ),
    ),
    modelOnly: true,
    retryAfterMs: 432_000,
  },
  {
    ...of(
      'rate-limit',
      429,
      tells(
        'Rate limit reached for gpt-4o in organization org-uOtiSEwvUnroadaOnJJquBEC on tokens per ' +
          'min (TPM): Limit 30000, Used 29937, Requested 385. Please try again in 644ms. Visit ' +
          'https://platform.openai.com/account/rate-limits to learn more.',
        'tokens',
        'rate_limit_exceeded',
      ),
    ),
    retryAfterMs: 644,
  },
  {
    ...of('rate-limit', 429, tells('Too many requests', 'requests', 'rate_limit_exceeded')),
    headers: { 'retry-after-ms': '1500', 'retry-after': '2' },
    retryAfterMs: 1_500,
  },
  of(
    'overload',
    500,
    tells(
      'The server had an error while processing your request. Sorry about that! You can retry your ' +
        'request, or contact us through our help center at help.openai.com if the error persists.',
      'server_error',
    ),
  ),
  of(
    'overload',
    undefined,
    tells('The server had an error while processing your request. Sorry about that!', 'server_error'),
  ),
  of(
    'overload',
    503,
    tells(
      'That model is currently overloaded with other requests. You can retry your request, or ' +
        'contact us through our help center at help.openai.com if the error persists.',
      'server_error',
    ),
  ),
  of('overload', 502, '<html><head><title>502 Bad Gateway</title></head></html>'),
  of('timeout', 504, '<html><head><title>504 Gateway Time-out</title></head></html>'),
  of(
    'key',
    401,
    tells(
      'Incorrect API key provided: sk-secre**********cret. You can find your API key at https://platform.openai.com/account/api-keys.',
      'invalid_request_error',
      'invalid_api_key',
    ),
  ),
  of(
    'key',
    401,
    tells(
      "You didn't provide an API key. You need to provide your API key in an Authorization header " +
        'using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).',
      'invalid_request_error',
      null,
    ),
  ),
  of(
    'key',
    401,
    tells(
      'The OpenAI account associated with this API key has been deactivated. Please check your email for more information.',
      'invalid_request_error',
      'account_deactivated',
    ),
  ),
  of(
    'key',
    403,
    tells(
      'You have insufficient permissions for this operation. Missing scopes: model.request.',
      'invalid_request_error',
      null,
    ),
  ),
  of(
    'key',
    403,
    tells(
      'Country, region, or territory not supported',
      'request_forbidden',
      'unsupported_country_region_territory',
    ),
  ),
  of(
    'model-unknown',
    404,
    tells(
      'The model `gpt-7` does not exist or you do not have access to it.',
      'invalid_request_error',
      'model_not_found',
    ),
  ),
  of(
    'model-unknown',
    403,
    tells(
      'Project `proj_abc` does not have access to model `gpt-6-sol`',
      'invalid_request_error',
      'model_not_found',
    ),
  ),
  of(
    'model-unknown',
    404,
    tells(
      'The model `gpt-4-32k` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations',
      'invalid_request_error',
      'model_not_found',
    ),
  ),
  of(
    'model-unknown',
    404,
    tells(
      'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
      'invalid_request_error',
      null,
    ),
  ),
  of(
    'model-unknown',
    400,
    tells(
      'Function tools with reasoning_effort are not supported for gpt-6-astra in ' +
        '/v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to ' +
        "'none'.",
      'invalid_request_error',
      null,
    ),
  ),
  of(
    'bad-request',
    400,
    tells(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in " +
        '130102 tokens. Please reduce the length of the messages.',
      'invalid_request_error',
      'context_length_exceeded',
    ),
  ),
  of(
    'bad-request',
    400,
    tells(
      "Invalid value: 'robot'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
      'invalid_request_error',
      'invalid_value',
    ),
  ),
  of('bad-request', undefined, tells('The prompt could not be read.', 'invalid_request_error')),
];

const openrouter: readonly Case[] = [
  of(
    'billing',
    402,
    routed(402, 'Insufficient credits. Add more using https://openrouter.ai/settings/credits'),
  ),
  of(
    'billing',
    402,
    routed(
      402,
      'This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, ' +
        'but can only afford 12000. To increase, visit https://openrouter.ai/settings/credits and ' +
        'upgrade to a paid account',
    ),
  ),
  of(
    'billing',
    402,
    routed(
      402,
      'Insufficient credits. This account never purchased credits. Make sure your key is on the ' +
        'correct account or org, and if so, purchase more at https://openrouter.ai/settings/credits',
    ),
  ),
  of(
    'billing',
    403,
    routed(403, 'Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys'),
  ),
  of(
    'billing',
    403,
    routed(403, 'Key limit exceeded (daily limit). Manage it using https://openrouter.ai/settings/keys'),
  ),
  of(
    'billing',
    undefined,
    routed(402, 'Insufficient credits. Add more using https://openrouter.ai/settings/credits'),
  ),
  {
    ...of(
      'billing',
      402,
      routed(402, 'Provider returned error', {
        provider_name: 'DeepSeek',
        raw: '{"error":{"message":"Insufficient Balance"}}',
      }),
    ),
    modelOnly: true,
  },
  {
    ...of(
      'billing',
      429,
      routed(
        429,
        'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
        {
          headers: {
            'X-RateLimit-Limit': '50',
            'X-RateLimit-Remaining': '0',
            'X-RateLimit-Reset': String(NOW + 3_600_000),
          },
          provider_name: null,
        },
      ),
    ),
    modelOnly: true,
    retryAfterMs: 3_600_000,
  },
  {
    ...of(
      'rate-limit',
      429,
      routed(429, 'Rate limit exceeded: free-models-per-min.', {
        headers: { 'X-RateLimit-Reset': String(NOW + 21_000) },
      }),
    ),
    retryAfterMs: 21_000,
  },
  of(
    'rate-limit',
    429,
    routed(429, 'Provider returned error', {
      provider_name: 'Chutes',
      raw:
        'qwen/qwen3-coder:free is temporarily rate-limited upstream. Please retry shortly, or add ' +
        'your own key to accumulate your rate limits: https://openrouter.ai/settings/integrations',
    }),
  ),
  of(
    'overload',
    502,
    routed(502, 'Provider returned error', {
      provider_name: 'Anthropic',
      raw: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    }),
  ),
  of('overload', undefined, routed(502, 'Provider disconnected')),
  of(
    'overload',
    503,
    routed(503, 'There is no available model provider that meets your routing requirements'),
  ),
  of('overload', undefined, {
    error: { code: 'server_error', message: 'Provider disconnected unexpectedly' },
  }),
  of('timeout', 408, routed(408, 'Request timed out')),
  of('key', 401, routed(401, 'User not found.')),
  of('key', 401, routed(401, 'No auth credentials found')),
  of('key', 401, routed(401, 'API key expired')),
  of('key', 401, routed(401, 'API key is disabled')),
  of(
    'bad-request',
    403,
    routed(
      403,
      'openai/o3 requires moderation on OpenAI. Your input was flagged for "violence". No credits were charged.',
      { reasons: ['violence'], provider_name: 'OpenAI' },
    ),
  ),
  of('model-unknown', 400, routed(400, 'openai/gpt-99 is not a valid model ID')),
  of('model-unknown', 404, routed(404, 'No endpoints found for anthropic/claude-2.')),
  of(
    'model-unknown',
    404,
    routed(
      404,
      'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing',
    ),
  ),
  of('model-unknown', 404, routed(404, 'No endpoints found that support image input')),
  of(
    'bad-request',
    400,
    routed(
      400,
      "This endpoint's maximum context length is 131072 tokens. However, you requested about " +
        '200000 tokens (199000 of text input, 1000 in the output). Please reduce the length of ' +
        'either one, or use the "middle-out" transform to compress your prompt automatically.',
    ),
  ),
  of('bad-request', 400, routed(400, 'Input required: specify "prompt" or "messages"')),
];

const ollama: readonly Case[] = [
  of('model-unknown', 404, "model 'qwen3:8b' not found"),
  of('model-unknown', 404, 'model "llama3" not found, try pulling it first'),
  of('model-unknown', 400, 'registry.ollama.ai/library/gemma:2b does not support tools'),
  of('model-unknown', 400, '"nomic-embed-text" does not support chat'),
  of('model-unknown', 500, 'model requires more system memory (46.1 GiB) than is available (14.2 GiB)'),
  of('bad-request', 400, 'the input length exceeds the context length'),
  of(
    'bad-request',
    400,
    'json: cannot unmarshal string into Go struct field ChatRequest.messages of type []api.Message',
  ),
  of('overload', 503, 'server busy, please try again.  maximum pending requests exceeded'),
  of('overload', 500, 'llama runner process has terminated: signal: killed'),
  of('overload', undefined, 'an error was encountered while running the model: unexpected EOF'),
  of('rate-limit', 429, 'too many concurrent requests'),
  of(
    'billing',
    429,
    'you (somebody) have reached your session usage limit, upgrade for higher limits: https://ollama.com/upgrade',
  ),
  of('billing', 429, "you've reached your hourly usage limit, please wait or upgrade to continue"),
  {
    ...of(
      'billing',
      403,
      'this model requires a subscription, upgrade for access: https://ollama.com/upgrade',
    ),
    modelOnly: true,
  },
  of('key', 401, 'unauthorized'),
];

/** Without an answer: by what the system, or undici, or TLS calls it. */
const connections: readonly (readonly [FailureKind, string])[] = [
  ['network', 'ECONNREFUSED'],
  ['network', 'ECONNRESET'],
  ['network', 'EPIPE'],
  ['network', 'ENOTFOUND'],
  ['network', 'EAI_AGAIN'],
  ['network', 'EHOSTUNREACH'],
  ['network', 'UND_ERR_SOCKET'],
  ['network', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['network', 'CERT_HAS_EXPIRED'],
  ['network', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['network', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ['timeout', 'ETIMEDOUT'],
  ['timeout', 'UND_ERR_CONNECT_TIMEOUT'],
  ['timeout', 'UND_ERR_HEADERS_TIMEOUT'],
  ['timeout', 'UND_ERR_BODY_TIMEOUT'],
];

describe('what is made of a failure', () => {
  for (const one of anthropic) check('cloud-a', one, anthropicError(one));
  for (const one of openai) check('cloud-b', one, openaiError(one));
  for (const one of openrouter) check('gateway', one, openaiError(one));
  for (const one of ollama) check('local-runner', one, ollamaError(one));

  for (const [kind, code] of connections) {
    const cause = Object.assign(new Error(`connect ${code} 10.0.0.1`), { code });
    const failed = new TypeError('fetch failed', { cause });
    const errors = {
      'cloud-a': new Anthropic.APIConnectionError({ cause: failed }),
      'cloud-b': new OpenAI.APIConnectionError({ cause: failed }),
      'local-runner': failed,
    };
    for (const [providerId, error] of Object.entries(errors)) {
      test(`${providerId}: ${code} is ${kind}`, () => {
        const failure = classify(error, { providerId: 'cloud-a' });
        assert.equal(failure.kind, kind);
        assert.equal(failure.code, /\d/.test(code) ? undefined : code);
      });
    }
  }

  test('a name with several addresses is told by the first that failed', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = new TypeError('fetch failed', { cause: new AggregateError([refused, refused]) });
    assert.equal(classify(error, { providerId: 'local-runner' }).code, 'ECONNREFUSED');
  });

  test('a redirect, and whatever else fetch refuses, is network', () => {
    assert.equal(
      classify(new TypeError('fetch failed', { cause: new Error('unexpected redirect') }), {
        providerId: 'cloud-a',
      }).kind,
      'network',
    );
    assert.equal(classify(new TypeError('terminated'), { providerId: 'local-runner' }).kind, 'network');
  });

  test('broken JSON is malformed', () => {
    assert.equal(
      classify(new SyntaxError('Unexpected token s, "secret" is not valid JSON'), { providerId: 'cloud-a' })
        .kind,
      'malformed',
    );
  });

  test('whatever else is thrown is unknown', () => {
    for (const thrown of [undefined, null, 'text', 7, {}, new Error('?')]) {
      assert.equal(classify(thrown, { providerId: 'cloud-b' }).kind, 'unknown');
    }
  });
});

function check(providerId: ProviderId, expected: Case, error: unknown): void {
  const { status, kind, retryAfterMs, modelOnly = false } = expected;
  test(`${providerId}: ${status ?? 'in a stream'} ${words(expected.body).slice(0, 70)} is ${kind}`, () => {
    const failure = classify(error, { providerId, model: 'm' }, NOW);
    const seen = { kind: failure.kind, retryAfterMs: failure.retryAfterMs, modelOnly: failure.modelOnly };
    assert.deepEqual(seen, { kind, retryAfterMs, modelOnly });
    const all = inspect(failure, { depth: 10, showHidden: true });
    for (const word of ['secre', 'org-uOt', 'proj_', 'violence', 'upstream connect'])
      assert.ok(!all.includes(word), all);
    assert.equal(failure.cause, undefined);
  });
}

function of(kind: FailureKind, status: number | undefined, body: unknown): Case {
  return { kind, body, ...(status === undefined ? {} : { status }) };
}

function says(type: string, message: string, details?: unknown): unknown {
  const error = { type, message, ...(details === undefined ? {} : { details }) };
  return { type: 'error', error, request_id: 'req_011CZLrUfBVkVHn5T6EqQaf7' };
}

function tells(message: string, type?: string, code?: string | null, more: object = {}): unknown {
  return { error: { message, type, param: null, code, ...more } };
}

function routed(code: number, message: string, metadata?: unknown): unknown {
  return { error: { message, code, ...(metadata === undefined ? {} : { metadata }) }, user_id: 'user_1' };
}

/* As the SDKs make errors of what they are sent. */

function anthropicError({ status, body, headers }: Case): unknown {
  const text = typeof body === 'string';
  return status === undefined
    ? new Anthropic.APIError(undefined, Object(body), undefined, new Headers(headers))
    : Anthropic.APIError.generate(
        status,
        text ? undefined : Object(body),
        text ? body : undefined,
        new Headers(headers),
      );
}

function openaiError({ status, body, headers }: Case): unknown {
  const text = typeof body === 'string';
  return status === undefined
    ? new OpenAI.APIError(undefined, Object(body).error, undefined, new Headers(headers))
    : OpenAI.APIError.generate(
        status,
        text ? undefined : Object(body),
        text ? body : undefined,
        new Headers(headers),
      );
}

function ollamaError({ status, body, headers }: Case): unknown {
  return new HttpError(body, status, new Headers(headers));
}

function words(body: unknown): string {
  return typeof body === 'string' ? body : String(/"message":"([^"]*)/.exec(JSON.stringify(body))?.[1]);
}
