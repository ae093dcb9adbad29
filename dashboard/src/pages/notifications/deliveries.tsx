import type { Output } from '../../api/ask.ts';
import { Plain } from '../../parts/plain.tsx';
import { reasonText } from '../webhooks/reason.ts';
import { words } from './words.ts';

interface DeliveriesProps {
  readonly deliveries: Output<'GET /api/notifications'>['notifications'][number]['deliveries'];
  /** Of the channels, by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

/** By which channel it reached the user, and why not where it did not. */
export function Deliveries({ deliveries, names }: DeliveriesProps) {
  return (
    <>
      {deliveries.map(({ channelId, state, reason }) => (
        <span key={channelId} class={state === 'failed' ? 'wrong' : ''}>
          <Plain text={names.get(channelId) ?? words.channelGone} most={60} />: {words.deliveries[state]}
          {reason === undefined ? null : ` (${reasonText(reason)})`}
        </span>
      ))}
    </>
  );
}
