import { chatStream, readChatEvent } from '../../events/chat.ts';
import { type MemoryDataOf, type MemoryEvent, memoryStream, readMemoryEvent } from '../../events/memory.ts';
import { receivedAs } from '../../events/turns.ts';
import type { EventReader } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { TurnOrigin } from '../../vocabulary.ts';
import { asideIn } from '../chat/branches.ts';
import type { Exchange } from '../chat/exchange.ts';
import { pathsInSession } from '../chat/pathsInSession.ts';
import { describeChange } from './sweptChanges.ts';

/** One reason why something is believed. */
export interface Reason {
  readonly position: number;
  readonly type: string;
  readonly at: number;
  readonly summary: string;
  /** Of words that began a turn, or came from elsewhere: whose they are. */
  readonly origin?: TurnOrigin;
  /** The words themselves, where it has some; null where they were erased. */
  readonly words?: string | null;
  /** Another version of the message stands in its place by now, in the conversation. */
  readonly setAside?: true;
  /** When they were said, where that was not when the event was written. */
  readonly saidAt?: number;
  /** What it was after that. */
  readonly confidence?: number;
}

interface Past {
  readonly stored: StoredEvent;
  readonly event: MemoryEvent;
}

/** Everything that made a conclusion what it is, from the words of the user on. */
export async function reasonsFor(
  store: EventReader,
  userId: string,
  conclusionId: string,
  until = Number.POSITIVE_INFINITY,
): Promise<readonly Reason[]> {
  const past: Past[] = [];
  for await (const events of store.readStream(memoryStream(userId)))
    for (const stored of events) {
      const event = stored.at <= until ? readMemoryEvent(stored) : undefined;
      if (event) past.push({ stored, event });
    }
  const own = past.filter(({ event }) => isAbout(event, conclusionId));
  const sources = new Set(own.flatMap(({ event }) => ('sources' in event.data ? event.data.sources : [])));
  const turnIds = new Set(own.flatMap(({ event }) => ('turnIds' in event.data ? event.data.turnIds : [])));
  const about = past.filter(
    ({ event: { data } }) => 'episodeId' in data && sources.has(data.episodeId ?? ''),
  );
  const behind = about.filter(({ event }) => !isOfAnother(event, about));
  const reader = { store, userId, until };
  const said = [
    ...(await Promise.all(behind.map(({ event }) => wordsBehind(reader, event, turnIds)))),
    ...(behind.length > 0 ? [] : await Promise.all([...turnIds].map((id) => wordsOfTurn(reader, id)))),
  ];
  const captures = new Map(
    behind.flatMap(({ event }) =>
      event.type === 'memory.episode.created' && event.data.capture
        ? [[event.data.episodeId, event.data.capture] as const]
        : [],
    ),
  );
  const told = [...behind, ...own].flatMap(({ stored, event }) =>
    reasonsIn(stored, event, { turnIds, captures }),
  );
  return [...said.flat(), ...told].sort((one, other) => one.position - other.position);
}

function isAbout({ data }: MemoryEvent, id: string): boolean {
  return (
    ('conclusionId' in data && data.conclusionId === id) ||
    ('supersededBy' in data && data.supersededBy === id) ||
    ('mergedInto' in data && data.mergedInto === id) ||
    ('contradicts' in data && data.contradicts === id) ||
    ('conclusionIds' in data && data.conclusionIds.includes(id))
  );
}

/** Words that waited for an episode that never came, under the id of one that did. */
function isOfAnother({ type, data }: MemoryEvent, past: readonly Past[]): boolean {
  if (type !== 'memory.conversation.imported' || !data.slice) return false;
  const { episodeId, slice } = data;
  return !past.some(
    ({ event }) =>
      event.type === 'memory.episode.created' &&
      event.data.episodeId === episodeId &&
      event.data.happenedAt === slice.happenedAt,
  );
}

interface Reader {
  readonly store: EventReader;
  readonly userId: string;
  readonly until: number;
}

/** The messages of a conversation with hark that said it. */
async function wordsBehind(
  { store, userId, until }: Reader,
  { type, data }: MemoryEvent,
  turnIds: ReadonlySet<string>,
): Promise<readonly Reason[]> {
  if (type !== 'memory.episode.created' || data.conversationId === null) return [];
  const { sessionId } = data;
  const stream = chatStream(userId, { sessionId, turnId: data.turnId ?? '' });
  const aside = await setAsideIn({ store, userId, until }, sessionId);
  const reasons: Reason[] = [];
  for await (const events of store.readStream(stream))
    for (const stored of events) {
      const event = readChatEvent(stored);
      if (event?.type === 'chat.message.received' && turnIds.has(event.data.turnId))
        reasons.push(saidIn(stored, event.data, aside));
    }
  return reasons;
}

/** Of what was remembered when it was said, before any episode tells of it. */
async function wordsOfTurn({ store, userId, until }: Reader, turnId: string): Promise<readonly Reason[]> {
  const received = await store.findCommand(receivedAs(userId, turnId));
  if (!received) return [];
  const { position } = received;
  for await (const { events } of store.readAll({ after: position - 1, until: position }))
    for (const stored of events) {
      const event = readChatEvent(stored);
      if (event?.type !== 'chat.message.received') continue;
      const aside = await setAsideIn({ store, userId, until }, event.data.sessionId);
      return [saidIn(stored, event.data, aside)];
    }
  return [];
}

/** The turns of a session in whose place others stand. */
async function setAsideIn(
  { store, userId, until }: Reader,
  sessionId: string | null,
): Promise<ReadonlySet<string>> {
  if (sessionId === null) return new Set();
  const paths = await pathsInSession(store, { userId, sessionId, at: until });
  return new Set(paths.flatMap(({ branches }) => [...asideIn(branches)]));
}

function saidIn(
  stored: StoredEvent,
  said: Pick<Exchange, 'origin' | 'source'> & { readonly turnId: string; readonly text: string | null },
  aside: ReadonlySet<string>,
) {
  const { origin, text: words } = said;
  const isAside = aside.has(said.turnId);
  const summary = `${whoSaid(said)}${isAside ? ' (set aside since)' : ''}: ${words ?? ERASED}`;
  return reasonOf(stored, summary, { origin, words, ...(isAside ? { setAside: true as const } : {}) });
}

/** Only the user's own words are told as theirs. */
function whoSaid({ origin, source }: Pick<Exchange, 'origin' | 'source'>): string {
  switch (origin) {
    case 'user':
      return 'The user said';
    case 'schedule':
      return `A schedule asked (${source})`;
    case 'workflow':
      return `A workflow asked (${source})`;
    case 'model':
      return `A task that a model made asked (${source})`;
    case 'client':
      return 'A client asked';
    case 'import':
      return 'It was said elsewhere';
  }
}

const ERASED = '(erased)';

function takenPlaceOf({
  conclusionId,
  supersededBy,
  because,
}: MemoryDataOf<'memory.conclusion.superseded'>): string {
  const why = { replaced: 'a later word on the same', corrected: 'it was wrong', ended: 'it is over' }[
    because
  ];
  return `${supersededBy} took the place of ${conclusionId}: ${why}`;
}

function settledAs({ conclusionId, contradicts, as }: MemoryDataOf<'memory.contradiction.settled'>): string {
  const decided = {
    kept: `${conclusionId} is right, and ${contradicts} was wrong`,
    'in-their-time': `${contradicts} was so, and ${conclusionId} is so now`,
    'no-contradiction': `${conclusionId} and ${contradicts} do not contradict each other`,
    open: `What was said of ${conclusionId} and ${contradicts} was taken back`,
  };
  return `Decided: ${decided[as]}`;
}

interface Known {
  readonly turnIds: ReadonlySet<string>;
  /** By episode. */
  readonly captures: ReadonlyMap<string, Capture>;
}

type Capture = NonNullable<MemoryDataOf<'memory.episode.created'>['capture']>;

function reasonsIn(stored: StoredEvent, event: MemoryEvent, { turnIds, captures }: Known): readonly Reason[] {
  switch (event.type) {
    case 'memory.conversation.imported': {
      const { episodeId, turns, slice } = event.data;
      const capture = captures.get(episodeId);
      return (turns ?? []).flatMap(({ role, name, text, at }, place) => {
        const index = place + (slice?.from ?? 0);
        if (!turnIds.has(`${index}`)) return [];
        const who = name ?? (role === 'user' ? 'The user' : 'Somebody else');
        const where = capture ? captured(capture, index) : 'in an import';
        const origin = capture ? {} : ({ origin: 'import' } as const);
        return [reasonOf(stored, `${who} said, ${where}: ${text}`, { ...origin, words: text, saidAt: at })];
      });
    }
    case 'memory.episode.created': {
      const { summary, capture } = event.data;
      const from = capture ? `, captured by ${capture.deviceId} in stream ${capture.streamId}` : '';
      return [reasonOf(stored, `Kept as an episode${from}: ${summary ?? ERASED}`, { words: summary })];
    }
    case 'memory.conclusion.drawn': {
      const { text, by, confidence } = event.data;
      const summary = `Concluded (${by}, confidence ${confidence}): ${text ?? ERASED}`;
      return [reasonOf(stored, summary, { words: text, confidence })];
    }
    case 'memory.conclusion.strengthened': {
      const { confidence } = event.data;
      return [reasonOf(stored, `Found again; confidence ${confidence.toFixed(2)}`, { confidence })];
    }
    case 'memory.conclusion.superseded':
      return [reasonOf(stored, takenPlaceOf(event.data))];
    case 'memory.conclusion.contradicted':
      return [reasonOf(stored, `${event.data.conclusionId} contradicts ${event.data.contradicts}`)];
    case 'memory.conclusions.dismissed':
      return [reasonOf(stored, 'Put aside by the user')];
    case 'memory.conclusion.restored': {
      const { confidence } = event.data;
      return [reasonOf(stored, 'Restored', confidence === undefined ? {} : { confidence })];
    }
    case 'memory.contradiction.settled':
      return [reasonOf(stored, settledAs(event.data))];
    case 'memory.contradiction.imported': {
      const { settled, conclusionId, contradicts } = event.data;
      const kept = settled?.conclusionId ?? conclusionId;
      const other = kept === conclusionId ? contradicts : conclusionId;
      const said = settledAs({ conclusionId: kept, contradicts: other, as: settled?.as ?? 'open' });
      return [reasonOf(stored, `Imported: ${said}`)];
    }
    case 'memory.conclusions.erased':
      return [reasonOf(stored, `Erased (${event.data.because})`)];
    default: {
      const change = describeChange(event);
      const confidence = event.type === 'memory.conclusion.decayed' ? { confidence: event.data.to } : {};
      return change ? [reasonOf(stored, `In a sweep: ${change.description}`, confidence)] : [];
    }
  }
}

/** Where what was heard came from, down to its segment. */
function captured({ mode, streamId, segments }: Capture, index: number): string {
  const heard = mode === 'active-participant' ? 'captured' : 'heard in passing';
  return `${heard} (segment ${segments[index]?.segmentId ?? '?'} of stream ${streamId})`;
}

type Figures = Pick<Reason, 'origin' | 'words' | 'setAside' | 'saidAt' | 'confidence'>;

function reasonOf({ position, type, at }: StoredEvent, summary: string, figures: Figures = {}): Reason {
  return { position, type, at, summary, ...figures };
}
