import { errorOf } from '../../application/chat/signals.ts';
import { HarkError } from '../../errors.ts';
import type { ExchangeEnd } from '../../projections/chat/exchange.ts';

/** Why a turn has no reply, for who waited for one. */
export function refusalOf(
  end: ExchangeEnd | null,
  failure: 'CHAT_FAILED' | 'TASK_FAILED',
  body: Readonly<Record<string, unknown>> = {},
): HarkError {
  const message = end && errorOf(end)?.message;
  const told = { body, ...(message ? { message } : {}) };
  const isUnavailable = end?.code === 'MODEL_UNAVAILABLE' || end?.code === 'BILLING_EXHAUSTED';
  return new HarkError(isUnavailable ? end.code : failure, told);
}
