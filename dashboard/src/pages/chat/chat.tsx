import './chat.css';
import { useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { loadedPart } from '../../api/loaded.ts';
import { newId } from '../../api/newId.ts';
import { useResource } from '../../api/resource.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Go } from '../../parts/go.tsx';
import { Page } from '../../parts/page.tsx';
import { visible } from '../../parts/plain.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { attempt } from '../../parts/toasts.tsx';
import { moment } from '../../state/moment.ts';
import { go } from '../../state/place.ts';
import { Composer, type Given } from './composer.tsx';
import { threadOf } from './openThreads.ts';
import { Past } from './past.tsx';
import { Sessions } from './sessions.tsx';
import type { Thread } from './thread.ts';
import { imagesOf, isOpen, replyOf, type Turn } from './turn.ts';
import { TurnView } from './turnView.tsx';
import { draftOf, keepDraft } from './unsent.ts';
import { words } from './words.ts';

const Voice = loadedPart(async () => (await import('../../later.ts')).Voice);

/** Of what may give a model that answers, or take it away. */
const TOPICS = ['config:changed', 'provider.*', 'system.setup.*'];
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
        ) : moment.value !== undefined ? (
          <div class="chat-main">
            <Greeting />
          </div>
        ) : (
          <Now sessionId={sessionId} />
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

/** What is said now. The first message begins a session, and so does the first word by voice. */
function Now({ sessionId }: { readonly sessionId: string | undefined }) {
  const thread = sessionId === undefined ? undefined : threadOf(sessionId);
  const [given, setGiven] = useState<Given>();
  const [isTalking, setTalking] = useState(false);
  const givenBy = async (turn: Turn, replaces: string | undefined) => ({
    text: turn.text ?? '',
    images: await imagesOf(turn),
    replaces,
  });
  const edit = (turn: Turn, replaces = turn.isOver.value ? undefined : turn.turnId) =>
    void attempt(async () => setGiven(await givenBy(turn, replaces)));
  const askAgain = (turn: Turn) => void attempt(async () => thread?.say(await givenBy(turn, turn.turnId)));
  const say = (said: Parameters<Thread['say']>[0]) => {
    if (thread) return thread.say(said);
    const begun = newId();
    threadOf(begun).say(said);
    go(`/chat/${begun}`);
  };
  return (
    <div class="chat-main">
      {thread ? (
        <Said key={thread.sessionId} thread={thread} onEdit={edit} onAskAgain={askAgain} />
      ) : (
        <Greeting />
      )}
      <Composer
        draftId={sessionId ?? NEW}
        isAnswering={thread?.turns.value.some(isOpen) ?? false}
        given={given}
        onSay={say}
        onStop={() => void attempt(async () => thread?.stop())}
        talk={
          isTalking ? (
            <Voice
              sessionId={sessionId}
              onSession={(begun) => {
                // What was typed meanwhile comes along.
                if (!thread) keepDraft(begun, draftOf(NEW));
                if (!thread) keepDraft(NEW, '');
                go(`/chat/${begun}`);
              }}
              onEnd={() => setTalking(false)}
            />
          ) : (
            <button type="button" onClick={() => setTalking(true)}>
              {words.talk}
            </button>
          )
        }
      />
    </div>
  );
}

/** Before anybody types in vain. */
function NoModel() {
  const setup = useResource('GET /api/setup/status', {}, TOPICS);
  if (setup.data.value?.steps.every(({ id, state }) => id !== 'model' || state === 'done') ?? true)
    return null;
  return (
    <p role="status">
      {words.noneAnswers} <Go to="/setup">{words.setUp}</Go>
    </p>
  );
}

function Greeting() {
  return (
    <div class="thread greeting">
      <p class="empty-title">{words.greeting}</p>
      <p class="quiet">{words.greetingNext}</p>
      {moment.value === undefined ? <NoModel /> : null}
    </div>
  );
}

interface SaidProps {
  readonly thread: Thread;
  readonly onEdit: (turn: Turn, replaces?: string) => void;
  readonly onAskAgain: (turn: Turn) => void;
}

function Said({ thread, onEdit, onAskAgain }: SaidProps) {
  const turns = thread.turns.value;
  const refusal = thread.refusal.value;
  const list = useScrolling(thread);
  return (
    <>
      {refusal ? <Failure refusal={refusal} again={() => void thread.refresh()} /> : null}
      {thread.isLoaded.value || turns.length > 0 || refusal ? null : <Loading />}
      {thread.isLoaded.value && turns.length === 0 ? <p class="quiet">{words.nothingSaid}</p> : null}
      <ol ref={list} class="thread" aria-label={words.conversation}>
        {turns.map((turn) => (
          <li key={turn.key} class="turn">
            <TurnView
              turn={turn}
              onEdit={() => onEdit(turn)}
              onAskAgain={() => onAskAgain(turn)}
              onChoose={(turnId) => void attempt(() => thread.choose(turnId))}
              onAgain={() => thread.again(turn)}
              onLetGo={() => onEdit(turn, thread.letGo(turn))}
            />
          </li>
        ))}
      </ol>
      <Announcer thread={thread} />
    </>
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
      setText(replyOf(current).slice(0, 1_000) || (current.error.value?.says ?? words.stopped));
    else if (next && next !== current) setText(words.answering);
    running.current = next;
  });
  return (
    <p class="hidden-text" role="status">
      {visible(text)}
    </p>
  );
}

/**
 * The end of the conversation stays in sight, as long as it was. Whoever scrolls up or marks words is left there, and
 * what comes above moves nothing.
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
      if (!isAtEnd) look();
      else if (getSelection()?.isCollapsed !== false) toEnd();
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
