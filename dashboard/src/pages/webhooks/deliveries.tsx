import { ask, type Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Go } from '../../parts/go.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Table } from '../../parts/scroll.tsx';
import { Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { asItWas, moment } from '../../state/moment.ts';
import { durationText, numberText } from '../../words/format.ts';
import { reasonText } from './reason.ts';
import type { Webhook } from './webhooks.tsx';
import { words } from './words.ts';

type Delivery = Output<'GET /api/webhooks/:id/deliveries'>['deliveries'][number];

/** The last events that it was to be told, newest first. What arrives at once leaves no event: its topics are heard. */
export function Deliveries({ webhook: { id, topics } }: { readonly webhook: Webhook }) {
  const read = useResource('GET /api/webhooks/:id/deliveries', { id, ...asItWas() }, [
    ...topics,
    'webhook.*',
  ]);
  const deliveries = read.data.value?.deliveries.toReversed();
  if (!deliveries) return <Reading of={read} />;
  if (deliveries.length === 0) return <p class="quiet small">{words.noDeliveries}</p>;
  const again = async (position: number) => {
    const answer = await attempt(() =>
      ask('POST /api/webhooks/:id/deliveries/:position/again', { id, position }),
    );
    if (!answer) return;
    tell(answer.delivered ? words.testArrived : words.testFailed(reasonText(answer.attempt.reason ?? '?')));
    read.reload();
  };
  return (
    <Table label={words.deliveries}>
      <thead>
        <tr>
          <th scope="col">{words.what}</th>
          <th scope="col">{words.when}</th>
          <th scope="col">{words.state}</th>
          <th scope="col" class="number">
            {words.attempts}
          </th>
          <th scope="col" class="number">
            {words.took}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row key={delivery.position} delivery={delivery} again={again} />
        ))}
      </tbody>
    </Table>
  );
}

interface RowProps {
  readonly delivery: Delivery;
  readonly again: (position: number) => Promise<void>;
}

/** What stands for the time where it is in no log. */
const noAttempt = { delivered: words.notKnown, failed: words.notKnown, waiting: '' };

function Row({ delivery, again }: RowProps) {
  const { position, type, at, state, attempts, lastAttempt, retryAt } = delivery;
  const why = lastAttempt?.reason ?? lastAttempt?.status;
  return (
    <tr>
      <td>
        <Go to={`/events?event=${position}`}>{numberText(position)}</Go>{' '}
        <code>
          <Plain text={type} most={80} />
        </code>
        <span class="quiet small block">
          <Time at={at} seconds />
        </span>
      </td>
      <td>
        {lastAttempt ? <Time at={lastAttempt.at} seconds /> : <span class="quiet">{noAttempt[state]}</span>}
      </td>
      <td class={state === 'failed' ? 'wrong' : ''}>
        {words.deliveryStates[state]}
        {why === undefined || why === null ? null : ` (${reasonText(`${why}`)})`}
        {retryAt === null ? null : (
          <span class="small block">
            {words.retry} <Time at={retryAt} seconds />
          </span>
        )}
      </td>
      <td class="number">{numberText(attempts)}</td>
      <td class="number">{typeof lastAttempt?.ms === 'number' ? durationText(lastAttempt.ms) : null}</td>
      <td>
        {moment.value === undefined ? (
          <button
            type="button"
            aria-label={`${words.again} ${position}`}
            onClick={() => void again(position)}
          >
            {words.again}
          </button>
        ) : null}
      </td>
    </tr>
  );
}
