import { echoesIn, withoutEchoes } from '../../application/memory/echoes.ts';
import type { Understand, Understanding } from '../../application/memory/ports.ts';
import { Statements } from '../../application/memory/statements.ts';
import { exchangeUpTo, type SpokenWords, wordsIn } from '../../application/memory/words.ts';
import { isRepeatedPrompt, type NewEpisode } from '../../commands/memory/episodes.ts';
import { eraseTranscript } from '../../commands/memory/forgetting.ts';
import { rememberTurn } from '../../commands/memory/rememberTurn.ts';
import { userMemory } from '../../commands/memory/state.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { replyHeard } from '../../events/chat.ts';
import type { EventOf } from '../../events/definition.ts';
import { memoryStream } from '../../events/memory.ts';
import { replySent } from '../../events/turnEndings.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import { knownEntities } from '../../projections/entities/knownEntities.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { preferences } from '../../projections/settings/preferences.ts';
import type { EventReader } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { defineSaga, type Reaction, type Saga } from '../saga.ts';

interface RememberingOptions {
  readonly context: () => {
    readonly store: EventReader;
    readonly runner: CommandRunner;
    readonly views: UserViews;
  };
  /** With no model: it is done after every reply. */
  readonly understand: Understand;
  readonly retentionMs: () => number;
  readonly mostIngests: () => number;
}

/** The saga's name, and so its cursor's. */
export const REMEMBERING = 'remember-turns';

/** On the scale from 0 to 10. */
const WORTH_INGESTING = 6;
/** By which way a task comes that the user gives; what else asks is a prompt. */
const TASK = 'task';
/** Of what is said by voice nothing is kept where words are not. */
const VOICE = 'voice';

/** What is worth keeping while a conversation goes on: corrections, preferences, tasks that are done, good answers. */
export function rememberTurns({ context, understand, retentionMs, mostIngests }: RememberingOptions): Saga {
  const remember = async (
    event: StoredEvent & EventOf<typeof replySent | typeof replyHeard>,
    keepsWords: boolean,
    { run, signal }: Reaction,
  ) => {
    const userId = event.owner;
    const { store, runner, views } = context();
    const { turnId, sessionId, conversationId } = event.data;
    const memory = await runner.read(userMemory, memoryStream(userId), userId);
    const { erasures } = memory;
    const exchange = await exchangeUpTo(store, event, { turnId, conversationId });
    if (!exchange || !isComplete(exchange, event)) return;
    const words = wordsIn(exchange);
    const [asked, answered] = words;
    if (!asked || !answered || (asked.platform === VOICE && !keepsWords)) return;
    if (isLeftAlone(asked, sessionId, memory)) return;
    const entities = await views.of(knownEntities, userId);
    const echoes = echoesIn(words, new Statements(await views.of(remembered, userId), entities));
    const understood = await understand(withoutEchoes(words, echoes), {
      userId,
      correlationId: event.correlationId,
      signal,
    });
    const { findings, trivial: _trivial, answer: _answer, ...shown } = understood;
    for (const kept of worthKeeping(understood, {
      asked,
      answered,
      sessionId,
      repeats: echoes.length > 0,
    })) {
      const { source } = asked;
      const place = {
        ...{ sessionId, conversationId, turnId },
        ...(source === undefined ? {} : { source }),
        ...(echoes.length === 0 ? {} : { echoes }),
      };
      const episode = { ...shown, ...place, ...kept, ...times(event, answered, retentionMs()) };
      const input = { episode, findings, erasures, mostIngests: mostIngests() };
      await run(rememberTurn, input, { step: kept.type });
    }
  };
  return defineSaga({
    name: REMEMBERING,
    on: [replySent, replyHeard],
    key: ({ owner }) => owner,
    async react(event, reaction) {
      if (event.type === replyHeard.type && !event.data.isLast) return;
      const { views } = context();
      const { effective } = await views.of(preferences, event.owner);
      if (effective.persistMemory) await remember(event, effective.storeTranscripts, reaction);
      const { sessionId, conversationId } = event.data;
      // Of a session, they go with its end.
      if (event.type === replySent.type && sessionId === null && !effective.storeTranscripts)
        await reaction.run(eraseTranscript, { conversationId }, { step: 'words' });
    },
  });
}

/** A spoken reply is what was heard of it: more is known then than when the model had said it. */
function isComplete({ spoken, end }: Exchange, { type }: StoredEvent): boolean {
  return end?.as === 'replied' && (spoken ? type === replyHeard.type : type === replySent.type);
}

function times({ at }: StoredEvent, answered: SpokenWords, retentionMs: number) {
  return { happenedAt: answered.at, expiresAt: at + retentionMs };
}

/** Of what is asked by no person, only what has no session is kept, and once. What is said in one waits for its end. */
export function isLeftAlone(
  asked: Pick<SpokenWords, 'role' | 'source'>,
  sessionId: string | null,
  known: Parameters<typeof isRepeatedPrompt>[0],
): boolean {
  if (asked.role !== 'prompt') return false;
  const { source } = asked;
  return sessionId !== null || source === undefined || isRepeatedPrompt(known, { source });
}

interface Turn {
  readonly asked: Pick<SpokenWords, 'role' | 'platform'>;
  readonly answered: Pick<SpokenWords, 'text'>;
  readonly sessionId: string | null;
  /** It says again what memory had said. */
  readonly repeats: boolean;
}

type Kept = Partial<NewEpisode> & Pick<NewEpisode, 'type'>;

/** What of a turn is kept at once, each as an episode: what the user says, or asks to be done, and a good answer. */
export function worthKeeping(
  understood: Understanding,
  { asked, answered, sessionId, repeats }: Turn,
): readonly Kept[] {
  const isPrompt = asked.role === 'prompt';
  const isTask = isPrompt || (sessionId === null && asked.platform === TASK);
  const moment = momentOf(understood, isTask && !repeats);
  const mayIngest = !isPrompt && (sessionId !== null || isTask);
  const ingest = mayIngest ? ingestOf(understood, answered) : undefined;
  return [moment, ingest].filter((kept) => kept !== undefined);
}

/** What the user says that must not wait for the end of the session, or a task that is done, which has none. */
function momentOf({ findings, reasons, trivial }: Understanding, isTask: boolean): Kept | undefined {
  if (findings.some(({ type }) => type === 'corrected') || reasons.includes('correction'))
    return findings.length > 0 ? { type: 'correction' } : undefined;
  if (findings.length > 0 && reasons.includes('preference')) return { type: 'preference' };
  return isTask && !trivial ? { type: 'task' } : undefined;
}

function ingestOf({ answer }: Understanding, { text }: Turn['answered']): Kept | undefined {
  if (!answer || answer.importance < WORTH_INGESTING) return undefined;
  return { type: 'RESPONSE_INGEST', ...answer, summary: text.slice(0, 2_000) };
}
