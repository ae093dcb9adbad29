import type { Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { Go } from '../../parts/go.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { asItWas } from '../../state/moment.ts';
import { numberText } from '../../words/format.ts';
import type { Webhook } from './webhooks.tsx';
import { words } from './words.ts';

const TYPES = ['webhook.delivery.failed', 'webhook.recovered'];
/** Behind every event. */
const END = '999999999999999';
/** Of all webhooks together. */
const LOOKED_AT = 1_000;
const SHOWN = 50;

type PastEvent = Output<'GET /api/events'>['events'][number];

interface Failed {
  readonly position: number;
  readonly failures: number;
  readonly reason: string;
  readonly retryAt: number | null;
}

/** How far all has arrived, and what could not be delivered, newest first. What arrives at once leaves no event. */
export function Deliveries({ webhook: { id, deliveredTo } }: { readonly webhook: Webhook }) {
  const read = useResource(
    'GET /api/events',
    { topics: TYPES.join(), before: END, limit: LOOKED_AT, ...asItWas() },
    TYPES,
  );
  const events = read.data.value?.events.filter(isOf(id)).slice(-SHOWN).reverse();
  if (!events) return <Loading />;
  const arrived =
    deliveredTo === undefined ? null : (
      <p class="quiet small">{words.deliveredTo(numberText(deliveredTo))}</p>
    );
  if (events.length === 0) return arrived;
  return (
    <>
      {arrived}
      <Scroll label={words.deliveries}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.when}</th>
              <th scope="col">{words.what}</th>
              <th scope="col">{words.why}</th>
              <th scope="col" class="number">
                {words.inARow}
              </th>
              <th scope="col">{words.again}</th>
            </tr>
          </thead>
          <tbody>
            {events.map(({ id, at, data }) => {
              const failed = failedIn(data);
              return (
                <tr key={id}>
                  <td>
                    <Time at={at} exact />
                  </td>
                  {failed ? (
                    <>
                      <td>
                        <Go to={`/events?event=${failed.position}`}>{numberText(failed.position)}</Go>
                      </td>
                      <td>{failed.reason}</td>
                      <td class="number">{numberText(failed.failures)}</td>
                      <td>{failed.retryAt === null ? words.notAgain : <Time at={failed.retryAt} exact />}</td>
                    </>
                  ) : (
                    <td colSpan={4}>{words.arrived}</td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

function isOf(webhookId: string): (event: PastEvent) => boolean {
  return ({ data }) =>
    typeof data === 'object' && data !== null && 'webhookId' in data && data.webhookId === webhookId;
}

function failedIn(data: unknown): Failed | undefined {
  if (typeof data !== 'object' || data === null || !('reason' in data) || !('position' in data))
    return undefined;
  const { reason, position } = data;
  const failures = 'failures' in data ? Number(data.failures) : 1;
  const retryAt = 'retryAt' in data && typeof data.retryAt === 'number' ? data.retryAt : null;
  return { reason: String(reason), position: Number(position), failures, retryAt };
}
