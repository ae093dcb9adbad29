import type { PastEvent } from '../../events/definition.ts';
import { readWebhookEvent, webhookStream } from '../../events/webhooks.ts';
import type { UserProjection } from '../projection.ts';

/** An event that could not be delivered at once. */
interface FailedDelivery {
  readonly position: number;
  readonly attempts: number;
  /** Of the last attempt that failed. */
  readonly at: number;
  readonly reason: string;
  readonly retryAt: number | null;
  /** Null where it has not arrived, as far as the log says. */
  readonly arrivedAt: number | null;
}

export interface WebhookFailures {
  /** Oldest first. */
  readonly failed: readonly FailedDelivery[];
  readonly pausedAt: number | null;
  /** What it was to be told, from when; oldest first. */
  readonly topics: readonly { readonly from: number; readonly topics: readonly string[] }[];
}

const MOST = 100;
const MOST_TOPICS = 20;

/** What one webhook could not be told at once, lately. */
export const webhookFailures: UserProjection<WebhookFailures, [webhookId: string]> = {
  name: 'webhookFailures',
  version: 2,
  stream: (userId, webhookId) => webhookStream(userId, { webhookId }),
  initial: { failed: [], pausedAt: null, topics: [] },
  evolve(state: WebhookFailures, past: PastEvent) {
    const event = readWebhookEvent(past);
    const { at } = past;
    switch (event?.type) {
      case 'webhook.created':
      case 'webhook.changed': {
        const { topics } = event.data;
        if (!topics) return state;
        return { ...state, topics: [...state.topics, { from: at, topics }].slice(-MOST_TOPICS) };
      }
      case 'webhook.delivery.failed': {
        const { position, reason, retryAt } = event.data;
        const last = state.failed.at(-1);
        const isSame = last?.position === position;
        const before = isSame ? state.failed.slice(0, -1) : state.failed.slice(1 - MOST);
        const attempts = isSame ? last.attempts + 1 : 1;
        return {
          ...state,
          failed: [...before, { position, attempts, at, reason, retryAt, arrivedAt: null }],
        };
      }
      case 'webhook.recovered':
        return { ...state, failed: withLast(state.failed, { arrivedAt: at, retryAt: null }) };
      case 'webhook.paused':
        return { ...state, failed: withLast(state.failed, { retryAt: null }), pausedAt: at };
      case 'webhook.resumed':
        return { ...state, pausedAt: null };
      default:
        return state;
    }
  },
};

function withLast(
  failed: readonly FailedDelivery[],
  changes: Partial<FailedDelivery>,
): readonly FailedDelivery[] {
  const last = failed.at(-1);
  return last ? [...failed.slice(0, -1), { ...last, ...changes }] : failed;
}

/** What it was to be told at a moment. */
export function topicsAt({ topics }: WebhookFailures, at: number): readonly string[] {
  return (topics.findLast(({ from }) => from <= at) ?? topics[0])?.topics ?? [];
}

/** At a moment of which only the log tells: what is behind one that failed had to wait, as during a pause. */
export function stateThen(
  { failed, pausedAt }: WebhookFailures,
  { position, at }: { readonly position: number; readonly at: number },
): 'delivered' | 'failed' | 'waiting' {
  const open = failed.findLast(({ arrivedAt }) => arrivedAt === null);
  if (open && position >= open.position) return position === open.position ? 'failed' : 'waiting';
  return pausedAt !== null && at >= pausedAt ? 'waiting' : 'delivered';
}
