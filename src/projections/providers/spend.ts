import { replySent } from '../../events/turnEndings.ts';
import { stepTaken } from '../../events/turns.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineProjection, type Handled } from '../projection.ts';

/** What was asked of one model. */
export interface ModelUse {
  readonly provider: ProviderId;
  readonly model: string;
  requests: number;
  inputTokens: number;
  outputTokens: number;
  /** Of what had a price then; null where nothing had. */
  usd: number | null;
}

export interface DaySpend {
  /** In UTC, as providers count: `2026-01-31`. */
  readonly day: string;
  readonly models: ModelUse[];
}

export interface SessionSpend {
  readonly sessionId: string;
  lastAt: number;
  readonly models: ModelUse[];
}

interface UserSpend {
  /** Oldest first. */
  readonly days: DaySpend[];
  /** The one that was last spoken in comes last. */
  readonly sessions: SessionSpend[];
}

interface SpendState {
  readonly byUser: Record<string, UserSpend>;
}

const MOST_DAYS = 400;
const MOST_SESSIONS = 100;

/** What each user has asked of models, step for step, at the prices of then. It holds no words. */
export const spend = defineProjection({
  name: 'providers.spend',
  version: 2,
  handles: [stepTaken, replySent],
  initial: (): SpendState => ({ byUser: {} }),
  apply({ byUser }, event) {
    if (event.data.provider === null || event.data.model === null) return;
    const key = keyOf(event.owner);
    const user = byUser[key] ?? { days: [], sessions: [] };
    byUser[key] = user;
    add(dayOf(user, event.at).models, event);
    const { sessionId } = event.data;
    if (sessionId !== null) add(sessionOf(user, sessionId, event.at).models, event);
  },
});

export function spendOf({ byUser }: SpendState, userId: string): UserSpend {
  return byUser[keyOf(userId)] ?? { days: [], sessions: [] };
}

function dayOf({ days }: UserSpend, at: number): DaySpend {
  const day = new Date(at).toISOString().slice(0, 10);
  // A clock that went back is not worth a search: such a day is among the last.
  const spent = days.findLast((one) => one.day === day);
  if (spent) return spent;
  const begun: DaySpend = { day, models: [] };
  days.push(begun);
  if (days.length > MOST_DAYS) days.shift();
  return begun;
}

function sessionOf({ sessions }: UserSpend, sessionId: string, at: number): SessionSpend {
  const index = sessions.findLastIndex((one) => one.sessionId === sessionId);
  const [known] = index === -1 ? [] : sessions.splice(index, 1);
  const session = known ?? { sessionId, lastAt: at, models: [] };
  session.lastAt = at;
  sessions.push(session);
  if (sessions.length > MOST_SESSIONS) sessions.shift();
  return session;
}

function add(models: ModelUse[], { data }: Handled<typeof stepTaken> | Handled<typeof replySent>): void {
  const { provider, model, usage, usd } = data;
  if (provider === null || model === null) return;
  let asked = models.find((one) => one.provider === provider && one.model === model);
  if (!asked) {
    asked = { provider, model, requests: 0, inputTokens: 0, outputTokens: 0, usd: null };
    models.push(asked);
  }
  asked.requests++;
  asked.inputTokens += usage.inputTokens;
  asked.outputTokens += usage.outputTokens;
  if (usd !== undefined) asked.usd = (asked.usd ?? 0) + usd;
}

/** A user may be called `__proto__`. */
function keyOf(userId: string): string {
  return `user ${userId}`;
}
