import { isRepeatedPrompt, type NewEpisode } from '../../commands/memory/episode.ts';
import { rememberTurn } from '../../commands/memory/rememberTurn.ts';
import { memoryStream, type UserMemory, userMemory } from '../../commands/memory/state.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { userPreferences, userStream } from '../../commands/settings/preferences.ts';
import { replySent } from '../../events/chat.ts';
import { stemsOf } from '../../language/words.ts';
import type { Store } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { Saga } from '../saga.ts';
import type { Understand, Understanding } from './ports.ts';
import { type SpokenWords, wordsOfTurn } from './words.ts';

interface RememberingOptions {
  readonly backing: () => { readonly store: Store; readonly runner: CommandRunner };
  /** With no model: it is done after every reply. */
  readonly understand: Understand;
  readonly retentionMs: () => number;
  readonly mostIngests: () => number;
}

/** The saga's name, and so its cursor's. */
export const REMEMBERING = 'remember-turns';

/** On the scale from 0 to 10. */
const WORTH_INGESTING = 6;
/** An answer of which so much was remembered before says nothing new. */
const MOSTLY = 0.6;

/** What is worth keeping while a conversation goes on: corrections, preferences, tasks that are done, good answers. */
export function rememberTurns({ backing, understand, retentionMs, mostIngests }: RememberingOptions): Saga {
  return {
    name: REMEMBERING,
    handles: [replySent.type],
    // With no model: it fails of itself, or of the thread that reads, which is begun anew.
    retry: { tries: 6, firstPauseMs: 500 },
    key: ({ userId }) => userId ?? '',
    async react(event, { run, signal }) {
      const userId = event.userId ?? '';
      const { store, runner } = backing();
      const { turnId, sessionId, conversationId, metadata } = replySent.data.parse(event.data);
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
      const understood = await understand(words, { userId, correlationId: event.correlationId, signal });
      const kinds = [
        momentOf(understood, sessionId),
        isPrompt ? undefined : ingestOf(understood, answered, textsOf(memory, metadata.recalled)),
      ];
      const { findings, trivial: _trivial, answer: _answer, ...shown } = understood;
      for (const kind of kinds) {
        if (!kind) continue;
        const from = source === undefined ? {} : { source };
        const place = { sessionId, conversationId, turnId, ...from };
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

/** What the user says that must not wait for the end of the session, or a task, which has none. */
function momentOf(
  { findings, reasons, trivial }: Understanding,
  sessionId: string | null,
): Pick<NewEpisode, 'type'> | undefined {
  if (findings.some(({ type }) => type === 'corrected') || reasons.includes('correction'))
    return findings.length > 0 ? { type: 'correction' } : undefined;
  if (findings.length > 0 && reasons.includes('preference')) return { type: 'preference' };
  return sessionId === null && !trivial ? { type: 'task' } : undefined;
}

/** What memory put before the model, and the model gave back, is no new evidence. */
function isEcho(text: string, recalled: readonly string[]): boolean {
  const said = new Set(stemsOf(text));
  const known = new Set(recalled.flatMap((one) => stemsOf(one)));
  const repeated = [...said].filter((stem) => known.has(stem)).length;
  return said.size > 0 && repeated / said.size > MOSTLY;
}

function textsOf({ episodes, conclusions }: UserMemory, recalled: readonly string[]): readonly string[] {
  return recalled.flatMap((id) => episodes[id]?.summary ?? conclusions[id]?.text ?? []);
}

function ingestOf(
  { answer }: Understanding,
  { text }: SpokenWords,
  recalled: readonly string[],
): (Partial<NewEpisode> & Pick<NewEpisode, 'type'>) | undefined {
  if (!answer || answer.importance < WORTH_INGESTING || isEcho(text, recalled)) return undefined;
  return { type: 'RESPONSE_INGEST', ...answer, summary: text.slice(0, 2_000) };
}
