import { ask, type Output } from '../../api/ask.ts';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { moment } from '../../state/moment.ts';
import { numberText } from '../../words/format.ts';
import { words } from './words.ts';

type Status = Output<'GET /api/billing/status'>;

/** What credit is left with a provider, where that is known; who stands in when it is used up, and how to go on. */
export function Billing({ id, status }: { readonly id: string; readonly status: Status | undefined }) {
  const billing = status?.providers[id];
  if (!billing) return null;
  const {
    label,
    exhausted,
    since,
    balance,
    currency = 'USD',
    billingUrl,
    fallbackActive,
    fallbackTarget,
  } = billing;
  const standIn = fallbackTarget === undefined ? undefined : status?.providers[fallbackTarget]?.label;
  const retry = async () => {
    if (await attempt(() => ask('POST /api/billing/retry/:providerId', { providerId: id })))
      tell(words.retried(label));
  };
  return (
    <>
      {balance === undefined ? null : (
        <p class="small facts">
          {words.credit}: {numberText(balance)} {currency}
        </p>
      )}
      {exhausted ? (
        <div class="small">
          <p class="wrong facts">
            {words.credit}: {words.exhausted} {since === undefined ? null : <Time at={since} />}
          </p>
          {fallbackActive ? <p class="facts">{words.standsIn(standIn ?? fallbackTarget ?? '?')}</p> : null}
          <p class="facts">
            <span>
              {words.addCredit} <code>{billingUrl}</code>
            </span>
          </p>
          {moment.value === undefined ? (
            <button type="button" aria-label={`${words.retry} ${label}`} onClick={() => void retry()}>
              {words.retry}
            </button>
          ) : null}
        </div>
      ) : null}
    </>
  );
}
