import { type FailureName, type Refusal, type Refused, retryAfter } from '../failures.ts';

type Words = (refused: Refused) => Refusal;

/**
 * Of `ollama serve`, and of ollama.com behind it for accounts and limits. Billing, spend limit, overloaded and
 * unavailable as users reported them; the others are from memory, and no report of them was at hand.
 */
const words: Readonly<Record<FailureName, Words>> = {
  billing: says(
    429,
    () =>
      'you (scripted) have reached your session usage limit, upgrade for higher limits: https://ollama.com/upgrade',
  ),
  'spend-limit': says(
    429,
    () => "you've reached your hourly usage limit, please wait or upgrade to continue",
  ),
  'model-quota': says(
    403,
    () => 'this model requires a subscription, upgrade for access: https://ollama.com/upgrade',
  ),
  'rate-limit': says(429, () => 'too many concurrent requests'),
  'wrong-key': says(401, () => 'unauthorized'),
  'missing-key': says(401, () => 'unauthorized'),
  'expired-key': says(401, () => 'unauthorized'),
  'revoked-key': says(401, () => 'unauthorized'),
  forbidden: says(403, () => 'forbidden'),
  overloaded: says(503, () => 'server busy, please try again.  maximum pending requests exceeded'),
  unavailable: says(
    503,
    () => 'Server overloaded, please retry shortly (ref: aaa65c70-cfa0-446b-86f1-4ab0e2deb9e4)',
  ),
  'server-error': says(500, () => 'llama runner process has terminated: signal: killed'),
  'model-unknown': says(404, ({ model }) => `model '${model}' not found`),
  'context-too-long': says(400, () => 'the input length exceeds the context length'),
  'bad-request': says(
    400,
    () => 'json: cannot unmarshal string into Go struct field ChatRequest.messages of type []api.Message',
  ),
};

export function ollamaRefusal(failure: FailureName, refused: Refused): Refusal {
  return words[failure](refused);
}

function says(status: number, error: (refused: Refused) => string): Words {
  return (refused) => ({ status, headers: retryAfter(refused), body: { error: error(refused) } });
}
