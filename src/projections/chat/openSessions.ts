import { sessionEnded } from '../../events/chat.ts';
import { turnEndings } from '../../events/turnEndings.ts';
import { messageReceived } from '../../events/turns.ts';
import { defineProjection, type Handled } from '../projection.ts';

export interface OpenSession {
  readonly userId: string;
  readonly sessionId: string | null;
  readonly conversationId: string;
  /** Turns that are over. */
  turns: number;
  lastActivityAt: number;
  /** Turns that are not, in order. */
  readonly open: { readonly turnId: string; readonly instanceId: string }[];
}

interface OpenSessions {
  /** By stream. Those that have ended are not among them, nor turns by themselves that are over. */
  readonly byStream: Record<string, OpenSession>;
}

/** Sessions that go on, and what runs in them. */
export const openSessions = defineProjection({
  name: 'chat.openSessions',
  version: 1,
  handles: [messageReceived, sessionEnded, ...turnEndings],
  initial: (): OpenSessions => ({ byStream: {} }),
  apply({ byStream }, event) {
    if (event.type === sessionEnded.type) delete byStream[event.stream];
    else if (event.type === messageReceived.type) receive(byStream, event);
    else end(byStream, event);
  },
});

function receive(byStream: OpenSessions['byStream'], event: Handled<typeof messageReceived>): void {
  const { stream, owner: userId, at } = event;
  const { turnId, sessionId, conversationId, instanceId } = event.data;
  const begun = { userId, sessionId, conversationId, turns: 0, lastActivityAt: at, open: [] };
  const session: OpenSession = byStream[stream] ?? begun;
  session.lastActivityAt = at;
  session.open.push({ turnId, instanceId });
  byStream[stream] = session;
}

function end(
  byStream: OpenSessions['byStream'],
  { stream, data, at }: Handled<(typeof turnEndings)[number]>,
): void {
  const session = byStream[stream];
  if (!session) return;
  const index = session.open.findIndex(({ turnId }) => turnId === data.turnId);
  if (index !== -1) session.open.splice(index, 1);
  session.turns++;
  session.lastActivityAt = at;
  if (session.sessionId === null && session.open.length === 0) delete byStream[stream];
}
