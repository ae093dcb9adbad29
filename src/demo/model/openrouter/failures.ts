import { type FailureName, type Refusal, type Refused, retryAfter } from '../failures.ts';

type Words = (refused: Refused) => Refusal;

/**
 * Those of credits, key limit, upstream limits, and wrong and missing keys as callers of openrouter.ai reported them;
 * the others are from memory, and those of expired and revoked keys are guesses.
 */
const words: Readonly<Record<FailureName, Words>> = {
  billing: says(
    402,
    () => 'Insufficient credits. Add more using https://openrouter.ai/settings/credits',
    () => ({
      limit_source: 'openrouter_credits',
      remedy_hint:
        'Add credits at https://openrouter.ai/settings/credits, or lower max_tokens / prompt size to fit your remaining balance.',
    }),
  ),
  'spend-limit': says(403, () => 'Key limit exceeded. Manage it using https://openrouter.ai/settings/keys'),
  'model-quota': says(
    429,
    () =>
      'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
    () => ({
      headers: {
        'X-RateLimit-Limit': '50',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': '4070908800000',
      },
      provider_name: null,
    }),
  ),
  'rate-limit': says(
    429,
    () => 'Provider returned error',
    ({ model }) => ({
      raw:
        `${model} is temporarily rate-limited upstream. Please retry shortly, or add your own key to ` +
        'accumulate your rate limits: https://openrouter.ai/settings/integrations',
      provider_name: 'Scripted',
      limit_source: 'upstream_provider_shared_pool',
    }),
  ),
  'wrong-key': says(401, () => 'User not found.'),
  'missing-key': says(401, () => 'No auth credentials found'),
  'expired-key': says(401, () => 'API key expired'),
  'revoked-key': says(401, () => 'API key is disabled'),
  forbidden: says(
    403,
    () => 'The model requires moderation, and the input was flagged',
    ({ model }) => ({
      reasons: ['violence'],
      flagged_input: '…',
      provider_name: 'Scripted',
      model_slug: model,
    }),
  ),
  overloaded: says(
    502,
    () => 'Provider returned error',
    () => ({
      raw: '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      provider_name: 'Scripted',
    }),
  ),
  unavailable: says(503, () => 'There is no available model provider that meets your routing requirements'),
  'server-error': says(500, () => 'Internal Server Error'),
  'model-unknown': says(400, ({ model }) => `${model} is not a valid model ID`),
  'context-too-long': says(
    400,
    () =>
      "This endpoint's maximum context length is 131072 tokens. However, you requested about " +
      '200000 tokens (199000 of text input, 1000 in the output). Please reduce the length of ' +
      'either one, or use the "middle-out" transform to compress your prompt automatically.',
  ),
  'bad-request': says(400, () => 'Input required: specify "prompt" or "messages"'),
};

export function openrouterRefusal(failure: FailureName, refused: Refused): Refusal {
  return words[failure](refused);
}

function says(
  status: number,
  message: (refused: Refused) => string,
  metadata?: (refused: Refused) => Readonly<Record<string, unknown>>,
): Words {
  return (refused) => ({
    status,
    headers: retryAfter(refused),
    body: {
      error: {
        message: message(refused),
        code: status,
        ...(metadata ? { metadata: metadata(refused) } : {}),
      },
      user_id: 'user_scripted',
    },
  });
}
