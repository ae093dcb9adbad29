import { regExp } from '../../regExp.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { type FailureDetails, type FailureKind, ModelFailure } from './failure.ts';
import { type ProviderError, readProviderError, systemCode } from './providerError.ts';

/** Whom a failure is to be put down to. */
export interface Blamed {
  readonly providerId: ProviderId;
  readonly model?: string;
}

interface Rule {
  readonly kind: FailureKind;
  readonly modelOnly?: true;
  /** One of these has to match: a code of the provider, whole, or its words. */
  readonly code?: RegExp;
  readonly text?: RegExp;
}

/**
 * The first that matches decides, before the status does: a status says little (an empty account is 400, 402, 403
 * or 429, and 200 within a stream). test/gateways/models/failures.test.ts has the wordings that these stand for.
 */
const rules: readonly Rule[] = [
  {
    kind: 'billing',
    modelOnly: true,
    text: regExp('is')`
      free-models-per-day|(?:requests|tokens) per day|requires a subscription
      |(?:extra usage is|usage credits are) required|exceeded your current quota.{0,600}\bmodel: \S
      |quota (?:is )?exceeded for model`,
  },
  {
    kind: 'billing',
    code: regExp()`
      ^(?:insufficient_quota|billing_error|billing_not_active|billing_hard_limit_reached
      |insufficient_credits|(?:contract|enforced)_spend_limit_reached|linked_organization_.+
      |user_profile_(?:not_billable|billing_not_authorized)|access_terminated_billing)$`,
    text: regExp('i')`
      credit balance is too low|exceeded your current quota|insufficient (?:credits|balance|funds|quota)
      |requires more credits|can only afford|never purchased credits|key limit exceeded
      |check your (?:plan and )?billing|billing hard limit|reached your (?:specified|hourly|daily|weekly
      |monthly|session)\b.{0,40}\blimit|spend(?:ing)? limit`,
  },
  {
    kind: 'bad-request',
    code: regExp()`
      ^(?:context_length_exceeded|string_above_max_length|request_too_large|content_policy_violation
      |content_filter|request_body_too_large_after_decoding)$`,
    text: regExp('i')`
      maximum context length|prompt is too long|context (?:window|size|length).{0,60}exceed
      |exceed\w{0,20}.{0,60}context (?:window|size|length)|requires moderation|was flagged`,
  },
  {
    kind: 'model-unknown',
    code: /^(?:model_not_found|model_not_available|model_deprecated|unsupported_model)$/,
    text: regExp('is')`
      ^model: \S|model\b.{0,200}\b(?:not found|does not exist|has been deprecated|not available)
      |not a valid model|no (?:allowed providers|endpoints) (?:are |found|available)|try pulling it
      |does not support (?:tools|thinking|chat|images|embeddings|generate)
      |not support(?:ed)? in the v1\/chat\/completions|more system memory
      |function tools with reasoning_effort are not supported`,
  },
  {
    kind: 'key',
    code: regExp()`
      ^(?:authentication_error|permission_error|invalid_api_key|invalid_organization|account_deactivated
      |organization_on_hold|claude_code_key_creator_not_member|unsupported_country_region_territory
      |access_terminated|PERMISSION_DENIED|UNAUTHENTICATED)$`,
    text: regExp('i')`
      incorrect api key|invalid (?:x-)?api[- ]key|api key (?:not valid|expired|is disabled
      |has been (?:disabled|revoked))|no auth credentials|no cookie auth|organization has been disabled
      |didn't provide an api key|^(?:unauthorized|forbidden)$`,
  },
  {
    kind: 'rate-limit',
    code: /^(?:rate_limit_error|rate_limit_exceeded|ramp_limit_exceeded|requests|tokens|RESOURCE_EXHAUSTED)$/,
    text: /rate limit|too many (?:concurrent )?requests|free-models-per-min/i,
  },
  { kind: 'timeout', code: /^(?:timeout_error|timeout)$/ },
  {
    kind: 'overload',
    code: regExp()`
      ^(?:overloaded_error|api_error|server_error|internal_error|internal_server_error|engine_overloaded
      |service_unavailable|UNAVAILABLE|INTERNAL)$`,
    text: regExp('i')`
      overloaded|server (?:is )?busy|no instances available|upstream connect error
      |runner process has terminated|error was encountered while running the model`,
  },
];

/** Says less than a status does. */
const INVALID = /^(?:invalid_request_error|invalid_prompt|INVALID_ARGUMENT)$/;

const TIMED_OUT = /^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/;

/** What went wrong, from whatever was thrown at a gateway. Does not know of the gateway's own time-outs. */
export function classify(error: unknown, blamed: Blamed, now?: number): ModelFailure {
  if (error instanceof ModelFailure) return error;
  // Broken JSON; V8 quotes it in the message.
  if (error instanceof SyntaxError) return new ModelFailure('malformed', { ...blamed, code: 'not_json' });
  const told = readProviderError(error, now);
  if (told.status === undefined && told.codes.length === 0) return unanswered(error, told, blamed);
  const rule = rules.find(
    ({ code, text }) => told.codes.some((one) => code?.test(one)) || text?.test(told.text),
  );
  const kind =
    rule?.kind ??
    (told.status === undefined && told.codes.some((one) => INVALID.test(one))
      ? 'bad-request'
      : byStatus(told.status));
  const [code] = told.codes;
  const details: FailureDetails = {
    ...blamed,
    ...(told.status === undefined ? {} : { status: told.status }),
    ...(told.retryAfterMs === undefined ? {} : { retryAfterMs: told.retryAfterMs }),
    ...(code === undefined ? {} : { code }),
    modelOnly: kind === 'billing' && (rule?.modelOnly === true || told.ofUpstream),
  };
  return new ModelFailure(kind, details);
}

/** No HTTP answer, or an error in a stream that has nothing but words. */
function unanswered(error: unknown, told: ProviderError, blamed: Blamed): ModelFailure {
  const code = systemCode(error);
  if (code !== undefined) {
    return new ModelFailure(TIMED_OUT.test(code) ? 'timeout' : 'network', { ...blamed, code });
  }
  const rule = rules.find(({ text }) => text?.test(told.text));
  if (rule) return new ModelFailure(rule.kind, { ...blamed, modelOnly: rule.modelOnly === true });
  return new ModelFailure(isConnectionError(error) ? 'network' : 'unknown', blamed);
}

/** `fetch` fails with a TypeError; the SDKs wrap it. Neither class is known without loading an SDK. */
function isConnectionError(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && /Connection/.test(error.constructor.name));
}

function byStatus(status: number | undefined): FailureKind {
  switch (status) {
    case 401:
    case 403:
      return 'key';
    case 402:
      return 'billing';
    case 408:
    case 504:
    case 524:
      return 'timeout';
    case 429:
      return 'rate-limit';
    case 400:
    case 413:
    case 415:
    case 422:
      return 'bad-request';
    default:
      return status !== undefined && status >= 500 ? 'overload' : 'unknown';
  }
}
