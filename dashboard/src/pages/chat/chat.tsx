import './chat.css';
import { useComputed, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Dialog } from '../../parts/dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { attempt } from '../../parts/toasts.tsx';
import { moment } from '../../state/moment.ts';
import { go } from '../../state/place.ts';
import { Composer } from './composer.tsx';
import { Past } from './past.tsx';
import { Sessions } from './sessions.tsx';
import { newId, type Thread, threadOf } from './thread.ts';
import { type Attachment, isOpen, replyOf, type Turn } from './turn.ts';
import { TurnView } from './turnView.tsx';
import { words } from './words.ts';

/** Under this a draft is kept as long as there is no session for it. */
const NEW = 'new';

export default function Chat() {
  const sessionId = useRoute().params.sessionId;
  const [isListOpen, setListOpen] = useState(false);
  useEffect(() => setListOpen(false), [sessionId]);
  return (
    <Page
      title={words.title}
      actions={
        <button type="button" class="sessions-button" onClick={() => setListOpen(true)}>
          {words.sessions}
        </button>
      }
    >
      <div class="chat">
        <aside class="chat-side" aria-label={words.sessions}>
          <Sessions current={sessionId} />
        </aside>
        {sessionId !== undefined && moment.value !== undefined ? (
          <Past key={sessionId} sessionId={sessionId} />
        ) : sessionId === undefined ? (
          <Fresh />
        ) : (
          <Open key={sessionId} thread={threadOf(sessionId)} />
        )}
      </div>
      {isListOpen ? (
        <Dialog title={words.sessions} onClose={() => setListOpen(false)}>
          <Sessions current={sessionId} />
        </Dialog>
      ) : null}
    </Page>
  );
}

/** Nothing was said yet: the first message begins a session. */
function Fresh() {
  return (
    <div class="chat-main">
      <div class="thread">
        <div class="greeting">
          <p class="empty-title">{words.greeting}</p>
          <p class="quiet">{words.greetingNext}</p>
        </div>
      </div>
      {moment.value === undefined ? (
        <Composer
          draftId={NEW}
          isAnswering={false}
          given={undefined}
          onStop={() => undefined}
          onSay={(said) => {
            const sessionId = newId();
            threadOf(sessionId).say(said);
            go(`/chat/${sessionId}`);
          }}
        />
      ) : null}
    </div>
  );
}

function Open({ thread }: { readonly thread: Thread }) {
  const [given, setGiven] = useState<{ text: string; images: readonly Attachment[] }>();
  const isAnswering = useComputed(() => thread.turns.value.some(isOpen));
  const turns = thread.turns.value;
  const refusal = thread.refusal.value;
  const giveBack = ({ text, images = [] }: Turn) => setGiven({ text: text ?? '', images });
  const list = useScrolling(thread);
  return (
    <div class="chat-main">
      {refusal ? <Failure refusal={refusal} again={() => void thread.refresh()} /> : null}
      {thread.isLoaded.value || turns.length > 0 || refusal ? null : <Loading />}
      {thread.isLoaded.value && turns.length === 0 ? <p class="quiet">{words.nothingSaid}</p> : null}
      <ol ref={list} class="thread" aria-label={words.conversation}>
        {turns.map((turn) => (
          <li key={turn.key} class="turn">
            <TurnView
              turn={turn}
              onEdit={() => giveBack(turn)}
              onAgain={() => thread.again(turn)}
              onLetGo={() => {
                giveBack(turn);
                thread.letGo(turn);
              }}
            />
          </li>
        ))}
      </ol>
      <Announcer thread={thread} />
      <Composer
        draftId={thread.sessionId}
        isAnswering={isAnswering.value}
        given={given}
        onStop={() => void attempt(() => thread.stop())}
        onSay={(said) => thread.say(said)}
      />
    </div>
  );
}

/** Says once that an answer is on its way, and then what it is: not each piece of it. */
function Announcer({ thread }: { readonly thread: Thread }) {
  const [text, setText] = useState('');
  const running = useRef<Turn | undefined>(undefined);
  useSignalEffect(() => {
    const { current } = running;
    const next = thread.turns.value.find(isOpen);
    if (current && !isOpen(current))
      setText(replyOf(current).slice(0, 1_000) || (current.error.value ?? words.stopped));
    else if (next && next !== current) setText(words.answering);
    running.current = next;
  });
  return (
    <p class="hidden-text" role="status">
      {text}
    </p>
  );
}

/**
 * The end of the conversation stays in sight, as long as it was. Whoever scrolls up is left there, and what comes above
 * moves nothing.
 */
function useScrolling(thread: Thread) {
  const list = useRef<HTMLOListElement>(null);
  const anchor = useRef<{ readonly element: Element; readonly top: number } | undefined>(undefined);
  const { url } = useLocation();
  useLayoutEffect(() => {
    const held = anchor.current;
    anchor.current = undefined;
    if (held) scrollBy(0, held.element.getBoundingClientRect().top - held.top);
  });
  useEffect(() => {
    const { current } = list;
    if (!current) return;
    let isAtEnd = true;
    const toEnd = () => scrollTo(0, document.documentElement.scrollHeight);
    const look = () => {
      isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 120;
      if (scrollY > innerHeight) return;
      void thread.readEarlier(() => {
        const element = current.firstElementChild;
        if (element) anchor.current = { element, top: element.getBoundingClientRect().top };
      });
    };
    const grown = new ResizeObserver(() => {
      if (isAtEnd) toEnd();
      else look();
    });
    grown.observe(current);
    addEventListener('scroll', look, { passive: true });
    return () => {
      grown.disconnect();
      removeEventListener('scroll', look);
    };
  }, [thread, url]);
  return list;
}
