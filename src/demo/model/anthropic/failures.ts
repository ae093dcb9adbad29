import type { ErrorType } from '@anthropic-ai/sdk/resources/shared';
import { asText, type FailureName, type Refusal, type Refused, retryAfter } from '../failures.ts';
import { newId } from '../protocol.ts';

type Words = (refused: Refused) => Refusal;

/**
 * Those of money, limits and overload as callers of api.anthropic.com reported them; expired, revoked, unavailable
 * and bad request are from memory, and no report of them was at hand.
 */
const words: Readonly<Record<FailureName, Words>> = {
  billing: says(
    400,
    'invalid_request_error',
    'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  ),
  'spend-limit': says(
    400,
    'invalid_request_error',
    'You have reached your specified API usage limits. You will regain access on 2099-01-01 at 00:00 UTC.',
  ),
  'model-quota': says(429, 'rate_limit_error', 'Extra usage is required for long context requests.'),
  'rate-limit': (refused) => ({
    ...says(
      429,
      'rate_limit_error',
      `This request would exceed your organization's rate limit of 30,000 input tokens per minute ` +
        `(org: 0dccdde6-f924-4f1b-bb3b-92ef846e0a5b, model: ${refused.model}). For details, refer ` +
        'to: https://docs.claude.com/en/api/rate-limits. You can see the response headers for ' +
        'current usage. Please reduce the prompt length or the maximum tokens requested, or try ' +
        'again later. You may also contact sales at https://claude.com/contact-sales to discuss your ' +
        'options for a rate limit increase.',
    )(refused),
    headers: {
      'anthropic-ratelimit-input-tokens-limit': '30000',
      'anthropic-ratelimit-input-tokens-remaining': '0',
      ...retryAfter(refused),
    },
  }),
  'wrong-key': says(401, 'authentication_error', 'invalid x-api-key'),
  'missing-key': says(401, 'authentication_error', 'x-api-key header is required'),
  'expired-key': says(
    401,
    'authentication_error',
    'OAuth token has expired. Please obtain a new token or refresh your existing token.',
  ),
  'revoked-key': says(400, 'invalid_request_error', 'This organization has been disabled.'),
  forbidden: says(
    403,
    'permission_error',
    'Your API key does not have permission to use the specified resource.',
  ),
  overloaded: says(529, 'overloaded_error', 'Overloaded'),
  unavailable: (refused) => ({
    status: 503,
    headers: { ...asText, ...retryAfter(refused) },
    body: 'upstream connect error or disconnect/reset before headers. reset reason: connection failure',
  }),
  'server-error': says(500, 'api_error', 'Internal server error'),
  'model-unknown': (refused) => says(404, 'not_found_error', `model: ${refused.model}`)(refused),
  'context-too-long': says(
    400,
    'invalid_request_error',
    'prompt is too long: 208310 tokens > 200000 maximum',
  ),
  'bad-request': says(
    400,
    'invalid_request_error',
    'messages: roles must alternate between "user" and "assistant"',
  ),
};

export function anthropicRefusal(failure: FailureName, refused: Refused): Refusal {
  return words[failure](refused);
}

function says(status: number, type: ErrorType, message: string): Words {
  return (refused) => ({
    status,
    headers: { 'x-should-retry': String(status === 429 || status >= 500), ...retryAfter(refused) },
    body: { type: 'error', error: { type, message }, request_id: newId('req_') },
  });
}
