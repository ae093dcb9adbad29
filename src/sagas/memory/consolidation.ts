import { chatStream } from '../../commands/chat/state.ts';
import { consolidate } from '../../commands/memory/consolidate.ts';
import { deferConsolidation } from '../../commands/memory/deferConsolidation.ts';
import { isRepeatedPrompt } from '../../commands/memory/episode.ts';
import { memoryStream, userMemory } from '../../commands/memory/state.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { userPreferences, userStream } from '../../commands/settings/preferences.ts';
import { sessionEnded } from '../../events/chat.ts';
import type { Store } from '../../store/port.ts';
import type { SlotName } from '../../vocabulary.ts';
import { modelsAway } from '../retryPolicy.ts';
import { type Reaction, type Saga, TryAgainLater } from '../saga.ts';
import type { ResourceGuard, Understand } from './ports.ts';
import { type SpokenWords, wordsOf } from './words.ts';

/** The saga's name, and so its cursor's. */
export const CONSOLIDATION = 'consolidate-sessions';

const MOST_DEFERRALS = 5;
const DEFERRED_FOR_MS = 60_000;

export interface ConsolidationOptions {
  /** What stands while the saga runs. */
  readonly backing: () => { readonly store: Store; readonly runner: CommandRunner };
  /** With the models of these slots: those that are set for it. */
  readonly understand: Understand;
  readonly slots: () => readonly SlotName[];
  /** With none. */
  readonly offline: Understand;
  readonly guard: ResourceGuard;
  readonly retentionMs: () => number;
  /** Instead of a minute; for tests. */
  readonly deferredForMs?: number;
}

/**
 * What a session came to, once it has ended: an episode, and what follows from it about the user. It waits while
 * a person needs the machine, though not for ever: then it does without a model.
 */
export function consolidateSessions(options: ConsolidationOptions): Saga {
  const deferrals = new Map<string, number>();
  return {
    name: CONSOLIDATION,
    handles: [sessionEnded.type],
    retry: { tries: 6, firstPauseMs: 1_000, awaits: modelsAway },
    key: ({ userId }) => userId ?? '',
    async react(event, reaction) {
      const userId = event.userId ?? '';
      const ended = sessionEnded.data.parse(event.data);
      const { store, runner } = options.backing();
      const memory = await runner.read(userMemory, memoryStream(userId), userId);
      const { erasures } = memory;
      if (memory.consolidated[ended.conversationId]) return;
      const settle = (
        outcome: Pick<Parameters<typeof consolidate.decide>[1], 'skipped' | 'episode' | 'findings'>,
      ) => reaction.run(consolidate, { ...ended, erasures, ...outcome });
      const { persistMemory } = await runner.read(userPreferences, userStream(userId), userId);
      if (!persistMemory) return void (await settle(nothing('opted-out')));
      const stream = chatStream(userId, { sessionId: ended.sessionId, turnId: '' });
      const words = await wordsOf(store, stream, ended.conversationId);
      if (words.length === 0) return void (await settle(nothing('erased')));
      const prompted = promptIn(words);
      if (isRepeatedPrompt(memory, prompted)) return void (await settle(nothing('repeated')));
      const mayAsk = await waitForQuiet(ended.conversationId, reaction);
      const understand = mayAsk ? options.understand : options.offline;
      const { correlationId } = event;
      const {
        findings,
        trivial,
        answer: _answer,
        ...understood
      } = await understand(words, {
        userId,
        correlationId,
        signal: reaction.signal,
      });
      if (trivial && findings.length === 0) return void (await settle(nothing('trivial')));
      const happenedAt = words.at(-1)?.at ?? event.at;
      const episode = {
        ...understood,
        ...prompted,
        type: 'conversation' as const,
        sessionId: ended.sessionId,
        conversationId: ended.conversationId,
        turnId: null,
        happenedAt,
        expiresAt: event.at + options.retentionMs(),
      };
      await settle({ skipped: null, episode, findings });
    },
  };

  /** Whether models may be asked then. */
  async function waitForQuiet(conversationId: string, { run }: Reaction): Promise<boolean> {
    const attempt = (deferrals.get(conversationId) ?? 0) + 1;
    const answer = await options.guard.mayWork(options.slots());
    if (answer.safe || attempt > MOST_DEFERRALS) {
      deferrals.delete(conversationId);
      return answer.safe;
    }
    deferrals.set(conversationId, attempt);
    const { reason } = answer;
    await run(deferConsolidation, { conversationId, attempt, reason }, { step: `defer-${attempt}` });
    throw new TryAgainLater(options.deferredForMs ?? DEFERRED_FOR_MS);
  }
}

/** What asked in a conversation in which the user said nothing. */
function promptIn(words: readonly SpokenWords[]): Pick<SpokenWords, 'source'> {
  const { source } = words.find(({ role }) => role === 'prompt') ?? {};
  return source === undefined || words.some(({ role }) => role === 'user') ? {} : { source };
}

function nothing(skipped: 'trivial' | 'opted-out' | 'erased' | 'repeated') {
  return { skipped, episode: null, findings: [] };
}
