import { ask, type Input, type Output, Refusal, send } from '../../api/ask.ts';
import { type LogEvent, onTopics } from '../../api/live.ts';
import { now } from '../../api/now.ts';

/** What can be erased for good, with the words that it is shown by. */
export type Forgettable =
  | {
      readonly kind: 'conclusion' | 'episode' | 'session' | 'entity';
      readonly id: string;
      readonly text?: string;
    }
  | { readonly kind: 'everything' };

export type Extent = Output<'GET /api/memory/extent'>;
export type Erasing = LogEvent;

export interface Receipt {
  readonly at: number;
  /** Episodes that still hold the words, where only the conclusion was erased. */
  readonly wordsIn: number;
  /** How many things the service still finds of it. */
  readonly left: number;
}

/** How long after the answer the log is listened to for what an erasure appended. */
const HEARD_MS = 1_500;

/** As it is asked for how much that is. */
export function scopeOf(what: Forgettable): Input<'GET /api/memory/extent'> {
  switch (what.kind) {
    case 'conclusion':
      return { conclusionId: what.id };
    case 'episode':
      return { episodeId: what.id };
    case 'session':
      return { sessionId: what.id };
    case 'entity':
      return { entityId: what.id };
    case 'everything':
      return {};
  }
}

/** Erases it, tells the events by which the log says so, and asks once more whether anything is left. */
export async function erase(
  what: Forgettable,
  withWords: boolean,
  onEvents: (events: readonly Erasing[]) => void,
): Promise<Receipt> {
  const heard: LogEvent[] = [];
  let own: string | null = null;
  const tell = () => onEvents(heard.filter(({ correlationId }) => correlationId === own));
  const end = onTopics(['*'], (event) => {
    if (!/\.(?:erased|forgotten)$/.test(event.type)) return;
    heard.push(event);
    if (own !== null) tell();
  });
  const answer = await request(what, withWords).finally(() => setTimeout(end, HEARD_MS));
  own = answer.headers.get('x-correlation-id');
  tell();
  const { episodes = [] }: { readonly episodes?: readonly string[] } = await answer.json();
  return { at: now(), wordsIn: episodes.length, left: await leftOf(what) };
}

function request(what: Forgettable, withWords: boolean): Promise<Response> {
  switch (what.kind) {
    case 'conclusion': {
      const words = withWords ? 'true' : 'false';
      return send('DELETE /api/memory/conclusions/:id', { id: what.id, words });
    }
    case 'episode':
      return send('DELETE /api/memory/episodes/:id', { id: what.id });
    case 'session':
      return send('DELETE /api/chat/sessions/:sessionId', { sessionId: what.id, forget: 'true' });
    case 'entity':
      return send('DELETE /api/entities/:id', { id: what.id });
    case 'everything':
      return send('DELETE /api/memory', {});
  }
}

async function leftOf(what: Forgettable): Promise<number> {
  try {
    const {
      messages = 0,
      episodes,
      conclusions,
      entities,
      relationships,
    } = await ask('GET /api/memory/extent', scopeOf(what));
    return messages + episodes + conclusions + entities + relationships;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return 0;
    throw error;
  }
}
