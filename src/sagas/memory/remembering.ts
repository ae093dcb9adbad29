import { echoesIn, withoutEchoes } from '../../application/memory/echoes.ts';
import type { Understand, Understanding } from '../../application/memory/ports.ts';
import { Statements } from '../../application/memory/statements.ts';
import { type SpokenWords, wordsOfTurn } from '../../application/memory/words.ts';
import { entitiesStream, userEntities } from '../../commands/entities/state.ts';
import { isRepeatedPrompt, type NewEpisode } from '../../commands/memory/episode.ts';
import { rememberTurn } from '../../commands/memory/rememberTurn.ts';
import { userMemory } from '../../commands/memory/state.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { userPreferences, userStream } from '../../commands/settings/preferences.ts';
import { replySent } from '../../events/chat.ts';
import { dataOf } from '../../events/definition.ts';
import { memoryStream } from '../../events/memory.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import type { Store } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { Saga } from '../saga.ts';

interface RememberingOptions {
  readonly backing: () => {
    readonly store: Store;
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

/** What is worth keeping while a conversation goes on: corrections, preferences, tasks that are done, good answers. */
export function rememberTurns({ backing, understand, retentionMs, mostIngests }: RememberingOptions): Saga {
  return {
    name: REMEMBERING,
    on: [replySent.type],
    key: ({ userId }) => userId ?? '',
    async react(event, { run, signal }) {
      const userId = event.userId ?? '';
      const { store, runner, views } = backing();
      const { turnId, sessionId, conversationId } = dataOf(replySent, event);
      const memory = await runner.read(userMemory, memoryStream(userId), userId);
      const { erasures } = memory;
      const { persistMemory } = await runner.read(userPreferences, userStream(userId), userId);
      if (!persistMemory) return;
      const words = await wordsOfTurn(store, event, { turnId, conversationId });
      const [asked, answered] = words;
      if (!asked || !answered) return;
      const { source } = asked;
      const isPrompt = asked.role === 'prompt';
      // What is said in a session is dealt with at its end.
      if (isPrompt && (sessionId !== null || source === undefined || isRepeatedPrompt(memory, asked))) return;
      const entities = await runner.read(userEntities, entitiesStream(userId), userId);
      const echoes = echoesIn(words, new Statements(await views.of(remembered, userId), entities));
      const understood = await understand(withoutEchoes(words, echoes), {
        userId,
        correlationId: event.correlationId,
        signal,
      });
      const isTask = isPrompt || (sessionId === null && asked.platform === TASK);
      const kinds = [
        momentOf(understood, isTask && echoes.length === 0),
        isPrompt || (sessionId === null && !isTask) ? undefined : ingestOf(understood, answered),
      ];
      const { findings, trivial: _trivial, answer: _answer, ...shown } = understood;
      for (const kind of kinds) {
        if (!kind) continue;
        const from = source === undefined ? {} : { source };
        const repeats = echoes.length === 0 ? {} : { echoes };
        const place = { sessionId, conversationId, turnId, ...from, ...repeats };
        const episode = { ...shown, ...place, ...kind, ...times(event, answered, retentionMs()) };
        await run(
          rememberTurn,
          { episode, findings, erasures, mostIngests: mostIngests() },
          { step: kind.type },
        );
      }
    },
  };
}

function times({ at }: StoredEvent, answered: SpokenWords, retentionMs: number) {
  return { happenedAt: answered.at, expiresAt: at + retentionMs };
}

/** What the user says that must not wait for the end of the session, or a task that is done, which has none. */
function momentOf(
  { findings, reasons, trivial }: Understanding,
  isTask: boolean,
): Pick<NewEpisode, 'type'> | undefined {
  if (findings.some(({ type }) => type === 'corrected') || reasons.includes('correction'))
    return findings.length > 0 ? { type: 'correction' } : undefined;
  if (findings.length > 0 && reasons.includes('preference')) return { type: 'preference' };
  return isTask && !trivial ? { type: 'task' } : undefined;
}

function ingestOf(
  { answer }: Understanding,
  { text }: SpokenWords,
): (Partial<NewEpisode> & Pick<NewEpisode, 'type'>) | undefined {
  if (!answer || answer.importance < WORTH_INGESTING) return undefined;
  return { type: 'RESPONSE_INGEST', ...answer, summary: text.slice(0, 2_000) };
}
