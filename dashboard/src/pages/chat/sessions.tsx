import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from '../../api/ask.ts';
import { loaded } from '../../api/loaded.ts';
import { useResource } from '../../api/resource.ts';
import { Go } from '../../parts/go.tsx';
import { Menu } from '../../parts/menu.tsx';
import { Plain } from '../../parts/plain.tsx';
import { Reading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { useKeys } from '../../state/keys.ts';
import { asItWas, moment } from '../../state/moment.ts';
import { go } from '../../state/place.ts';
import { parts } from '../../words/parts.ts';
import { closeThread } from './openThreads.ts';
import { erasures } from './topics.ts';
import { words } from './words.ts';

const PAGE = 30;
const MOST = 200;
const TYPING_MS = 200;
const topics = ['chat.message.received', 'sessionEnded', ...erasures];

interface Forgetting {
  readonly Dialog: typeof import('../../parts/forgetting/forgetting.tsx').Forgetting;
  readonly sessionId: string;
  readonly text: string;
}

/** All conversations, newest first, and a search in what was said. */
export function Sessions({ current }: { readonly current: string | undefined }) {
  const [typed, setTyped] = useState('');
  const [query, setQuery] = useState('');
  const [limit, setLimit] = useState(PAGE);
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const [forgetting, setForgetting] = useState<Forgetting>();
  // Loaded when it is needed: the page of chat is the first that opens.
  const forget = (sessionId: string, text: string) => {
    void attempt(async () => {
      const { Forgetting: Dialog } = await loaded(() => import('../../later.ts'));
      setForgetting({ Dialog, sessionId, text });
    });
  };
  const forgotten = ({ sessionId }: Forgetting, wasErased: boolean) => {
    setForgetting(undefined);
    if (!wasErased) return;
    closeThread(sessionId);
    if (sessionId === current) go('/');
  };
  const found = useResource('GET /api/chat/sessions', { query, limit, ...asItWas() }, topics);
  const sessions = found.data.value?.sessions;
  const field = useRef<HTMLInputElement>(null);
  useKeys([{ key: '/', says: words.searchSessions, act: () => field.current?.focus() }]);
  return (
    <div class="sessions">
      <div class="sessions-head">
        <Go to="/" class="new-chat">
          {words.newChat}
        </Go>
        <input
          ref={field}
          type="search"
          aria-label={words.searchSessions}
          placeholder={words.searchSessions}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <Reading of={found} />
      {sessions ? (
        <ul aria-label={words.sessions}>
          {sessions.map(({ sessionId, title, lastMessageAt, excerpt }) => (
            <li key={sessionId} class={sessionId === current ? 'session current' : 'session'}>
              <Go
                to={`/chat/${encodeURIComponent(sessionId)}`}
                {...(sessionId === current ? { 'aria-current': 'true' as const } : {})}
              >
                <span class="session-title">{title === '' ? words.untitled : <Plain text={title} />}</span>
                {excerpt === undefined ? null : (
                  <span class="session-excerpt small">
                    <Plain text={excerpt} />
                  </span>
                )}
                <span class="quiet small">
                  <Time at={lastMessageAt} />
                </span>
              </Go>
              {moment.value === undefined ? (
                <Menu
                  label={words.sessionActions}
                  of={title}
                  items={[
                    { says: words.endSession, act: () => void end(sessionId) },
                    { says: words.forgetSession, isGrave: true, act: () => forget(sessionId, title) },
                  ]}
                />
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      {forgetting ? (
        <forgetting.Dialog
          what={{ kind: 'session', id: forgetting.sessionId, text: forgetting.text }}
          onClose={(wasErased) => forgotten(forgetting, wasErased)}
        />
      ) : null}
      {sessions?.length === 0 ? (
        <p class="quiet small">{query === '' ? words.noSessions : words.noneFound}</p>
      ) : null}
      {sessions?.length === limit && limit < MOST ? (
        <button type="button" class="link" onClick={() => setLimit(Math.min(MOST, 2 * limit))}>
          {parts.more}
        </button>
      ) : null}
    </div>
  );
}

async function end(sessionId: string): Promise<void> {
  const done = await attempt(() => ask('DELETE /api/chat/sessions/:sessionId', { sessionId }));
  if (done) tell(words.sessionEnded);
}
