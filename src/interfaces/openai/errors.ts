import { z } from 'zod';
import type { ErrorCode, HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { statuses } from '../rest/statuses.ts';

/** Whether who asks here expects to be refused in OpenAI's words. */
export function speaksOpenAi(path: string): boolean {
  return /^\/v1(\/|$)/.test(path);
}

export const openAiErrorBody = lazily(() =>
  z.object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
    errorCode: z.string().exactOptional(),
  }),
);

/** What OpenAI calls it, where its clients look for that; any other code is ours in small letters. */
const theirs: Partial<Record<ErrorCode, { readonly type: string; readonly code: string }>> = {
  UNAUTHORIZED: { type: 'invalid_request_error', code: 'invalid_api_key' },
  MODEL_UNKNOWN: { type: 'invalid_request_error', code: 'model_not_found' },
  RESPONSE_UNKNOWN: { type: 'invalid_request_error', code: 'previous_response_not_found' },
  VALIDATION_FAILED: { type: 'invalid_request_error', code: 'invalid_value' },
  TOO_MANY_REQUESTS: { type: 'requests', code: 'rate_limit_exceeded' },
  BILLING_EXHAUSTED: { type: 'insufficient_quota', code: 'insufficient_quota' },
};

const issues = lazily(() =>
  z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
);

export function openAiError(error: HarkError): z.output<ReturnType<typeof openAiErrorBody>> {
  const { code } = error;
  const usual = {
    type: statuses[code] < 500 ? 'invalid_request_error' : 'server_error',
    code: code.toLowerCase(),
  };
  const { errorCode } = error.body;
  const { path = [], message } = issues().safeParse(error.body.issues).data?.[0] ?? {};
  const param = paramOf(path);
  const said = message === undefined ? error.message : param === '' ? message : `${param}: ${message}`;
  const told = { message: said, param: param || null, ...(theirs[code] ?? usual) };
  return { error: told, ...(typeof errorCode === 'string' ? { errorCode } : {}) };
}

/** As OpenAI writes it: `messages[0].content`. */
function paramOf(path: readonly (string | number)[]): string {
  return path.reduce<string>((all, key) => {
    if (typeof key === 'number') return `${all}[${key}]`;
    return all === '' ? key : `${all}.${key}`;
  }, '');
}
