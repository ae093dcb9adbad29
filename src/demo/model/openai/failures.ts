import { type FailureName, type Refusal, type Refused, retryAfter } from '../failures.ts';

type Words = (refused: Refused) => Refusal;

const RATE_LIMITS = 'Visit https://platform.openai.com/account/rate-limits to learn more.';

/**
 * Those of quota and tokens per minute as callers of api.openai.com reported them; the others are from memory, and
 * no report of them was at hand.
 */
const words: Readonly<Record<FailureName, Words>> = {
  billing: says(
    429,
    'insufficient_quota',
    'insufficient_quota',
    () =>
      'You exceeded your current quota, please check your plan and billing details. For more ' +
      'information on this error, read the docs: ' +
      'https://platform.openai.com/docs/guides/error-codes/api-errors.',
  ),
  'spend-limit': says(
    400,
    'invalid_request_error',
    'billing_hard_limit_reached',
    () => 'Billing hard limit has been reached',
  ),
  'model-quota': says(
    429,
    'requests',
    'rate_limit_exceeded',
    ({ model }) =>
      `Rate limit reached for ${model} in organization org-uOtiSEwvUnroadaOnJJquBEC on requests ` +
      `per day (RPD): Limit 200, Used 200, Requested 1. Please try again in 7m12s. ${RATE_LIMITS}`,
  ),
  'rate-limit': says(
    429,
    'tokens',
    'rate_limit_exceeded',
    ({ model, retryAfterSeconds }) =>
      `Rate limit reached for ${model} in organization org-uOtiSEwvUnroadaOnJJquBEC on tokens per min (TPM): ` +
      `Limit 30000, Used 29937, Requested 385. Please try again in ` +
      `${retryAfterSeconds === undefined ? '644ms' : `${retryAfterSeconds}s`}. ${RATE_LIMITS}`,
  ),
  'wrong-key': says(
    401,
    'invalid_request_error',
    'invalid_api_key',
    ({ apiKey }) =>
      `Incorrect API key provided: ${masked(apiKey)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
  ),
  'missing-key': says(
    401,
    'invalid_request_error',
    null,
    () =>
      "You didn't provide an API key. You need to provide your API key in an Authorization header " +
      'using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with ' +
      "blank username) if you're accessing the API from your browser and are prompted for a " +
      'username and password. You can obtain an API key from ' +
      'https://platform.openai.com/account/api-keys.',
  ),
  'expired-key': says(
    401,
    'invalid_request_error',
    'invalid_api_key',
    ({ apiKey }) =>
      `Incorrect API key provided: ${masked(apiKey)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
  ),
  'revoked-key': says(
    401,
    'invalid_request_error',
    'account_deactivated',
    () =>
      'The OpenAI account associated with this API key has been deactivated. Please check your ' +
      'email for more information. If you feel this is an error, contact us through our help ' +
      'center at help.openai.com.',
  ),
  forbidden: says(
    403,
    'invalid_request_error',
    'model_not_found',
    ({ model }) => `Project \`proj_scripted\` does not have access to model \`${model}\``,
  ),
  overloaded: says(
    503,
    'server_error',
    null,
    () =>
      'That model is currently overloaded with other requests. You can retry your request, or ' +
      'contact us through our help center at help.openai.com if the error persists.',
  ),
  unavailable: says(503, 'server_error', null, () => 'The server is overloaded or not ready yet.'),
  'server-error': says(
    500,
    'server_error',
    null,
    () =>
      'The server had an error while processing your request. Sorry about that! You can retry your ' +
      'request, or contact us through our help center at help.openai.com if the error persists.',
  ),
  'model-unknown': says(
    404,
    'invalid_request_error',
    'model_not_found',
    ({ model }) => `The model \`${model}\` does not exist or you do not have access to it.`,
  ),
  'context-too-long': says(
    400,
    'invalid_request_error',
    'context_length_exceeded',
    () =>
      "This model's maximum context length is 128000 tokens. However, your messages resulted in " +
      '130102 tokens. Please reduce the length of the messages.',
    'messages',
  ),
  'bad-request': says(
    400,
    'invalid_request_error',
    'invalid_value',
    () =>
      "Invalid value: 'robot'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    'messages[0].role',
  ),
};

export function openaiRefusal(failure: FailureName, refused: Refused): Refusal {
  return words[failure](refused);
}

function says(
  status: number,
  type: string,
  code: string | null,
  message: (refused: Refused) => string,
  param: string | null = null,
): Words {
  return (refused) => ({
    status,
    headers: retryAfter(refused),
    body: { error: { message: message(refused), type, param, code } },
  });
}

/** It quotes the key's ends, and a short key in full. */
function masked(key = ''): string {
  return key.length < 12 ? key : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`;
}
