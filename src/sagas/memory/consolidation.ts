import { echoesIn } from '../../application/memory/echoes.ts';
import type { ResourceGuard, Understand } from '../../application/memory/ports.ts';
import { Statements } from '../../application/memory/statements.ts';
import { wordsInPart, wordsToldBy } from '../../application/memory/told.ts';
import { exchangesOf, type SpokenWords, wordsIn } from '../../application/memory/words.ts';
import { entitiesStream, userEntities } from '../../commands/entities/state.ts';
import { consolidate } from '../../commands/memory/consolidate.ts';
import { deferConsolidation } from '../../commands/memory/deferConsolidation.ts';
import { isRepeatedPrompt } from '../../commands/memory/episode.ts';
import { userMemory } from '../../commands/memory/state.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { userPreferences, userStream } from '../../commands/settings/preferences.ts';
import { entryOf } from '../../entryOf.ts';
import { chatStream, sessionEnded } from '../../events/chat.ts';
import { consolidationAsked, memoryStream } from '../../events/memory.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import type { Store } from '../../store/port.ts';
import type { SlotName } from '../../vocabulary.ts';
import { Deferrals } from '../deferrals.ts';
import { isModelAway, modelsAway } from '../retryPolicy.ts';
import type { Reaction, Saga } from '../saga.ts';

/** Why it waits, where the guard would not have it wait. */
const MODEL_AWAY = 'model_away';

/** The saga's name, and so its cursor's. */
export const CONSOLIDATION = 'consolidate-sessions';

type Skipped = NonNullable<Parameters<typeof consolidate.decide>[1]['skipped']>;

export interface ConsolidationOptions {
  /** What stands while the saga runs. */
  readonly backing: () => {
    readonly store: Store;
    readonly runner: CommandRunner;
    readonly views: UserViews;
  };
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
 * What a session came to, once it has ended or somebody asks for it while it goes on: an episode, and what follows from
 * it about the user. It waits while a person needs the machine or its model is away, though not for ever: then it does
 * without a model.
 */
export function consolidateSessions(options: ConsolidationOptions): Saga {
  const deferrals = new Deferrals(options.deferredForMs);
  return {
    name: CONSOLIDATION,
    on: [sessionEnded.type, consolidationAsked.type],
    retry: { tries: 6, firstPauseMs: 1_000, awaits: modelsAway },
    key: ({ userId }) => userId ?? '',
    async react(event, reaction) {
      const userId = event.userId ?? '';
      const isOver = event.type === sessionEnded.type;
      const { sessionId, conversationId } = (isOver ? sessionEnded : consolidationAsked).data.parse(
        event.data,
      );
      const { store, runner, views } = options.backing();
      const memory = await runner.read(userMemory, memoryStream(userId), userId);
      const { erasures } = memory;
      if (memory.consolidated[conversationId]) return;
      const after = entryOf(memory.settledUpTo, conversationId) ?? null;
      const settle = async (
        outcome: Pick<Parameters<typeof consolidate.decide>[1], 'skipped' | 'upTo' | 'episode' | 'findings'>,
      ) => {
        await reaction.run(consolidate, { sessionId, conversationId, after, erasures, ...outcome });
        deferrals.settle(conversationId);
      };
      /** What comes to nothing while it goes on may come to something with what follows. */
      const settleForNothing = async (skipped: Skipped) => {
        if (isOver) await settle({ skipped, episode: null, findings: [] });
        else deferrals.settle(conversationId);
      };
      const { persistMemory } = await runner.read(userPreferences, userStream(userId), userId);
      if (!persistMemory) return settleForNothing('opted-out');
      const stream = chatStream(userId, { sessionId, turnId: '' });
      const said = await exchangesOf(store, stream, conversationId, { untilPosition: event.position });
      const running = isOver ? -1 : said.findIndex(({ end }) => end === null);
      const words = said.slice(0, running === -1 ? undefined : running).flatMap(wordsIn);
      if (words.length === 0) return settleForNothing('erased');
      const part = { after, upTo: (isOver ? null : words.at(-1)?.turnId) ?? null };
      const unsettled = wordsInPart(words, part);
      if (unsettled.length === 0) return settleForNothing('settled-before');
      const prompted = promptIn(words);
      if (isRepeatedPrompt(memory, prompted)) return settleForNothing('repeated');
      const mayDefer = deferrals.mayDefer(conversationId);
      const guard = await options.guard.mayWork(options.slots());
      if (!guard.safe && mayDefer) return defer(conversationId, guard.reason, reaction);
      const understand = guard.safe ? options.understand : options.offline;
      const isPart = after !== null || part.upTo !== null;
      const entities = await runner.read(userEntities, entitiesStream(userId), userId);
      const echoes = echoesIn(unsettled, new Statements(await views.of(remembered, userId), entities));
      const told = {
        turnId: null,
        ...(isPart ? { part } : {}),
        ...(echoes.length > 0 ? { echoes } : {}),
      };
      const { correlationId } = event;
      const asking = { userId, correlationId, signal: reaction.signal, needsModel: mayDefer };
      const understanding = await understand(wordsToldBy(told, words), asking).catch((error) => {
        if (mayDefer && isModelAway(error)) return undefined;
        throw error;
      });
      if (!understanding) return defer(conversationId, MODEL_AWAY, reaction);
      const { findings, trivial, answer: _answer, ...understood } = understanding;
      if (trivial && findings.length === 0) return settleForNothing('trivial');
      const happenedAt = unsettled.at(-1)?.at ?? event.at;
      const episode = {
        ...understood,
        ...prompted,
        ...told,
        type: 'conversation' as const,
        sessionId,
        conversationId,
        happenedAt,
        expiresAt: event.at + options.retentionMs(),
      };
      const goesOn = part.upTo === null ? {} : { upTo: part.upTo };
      await settle({ skipped: null, ...goesOn, episode, findings });
    },
  };

  async function defer(conversationId: string, reason: string, { run }: Reaction): Promise<never> {
    const attempt = deferrals.count(conversationId);
    await run(deferConsolidation, { conversationId, attempt, reason }, { step: `defer-${attempt}` });
    throw deferrals.later;
  }
}

/** What asked in a conversation in which the user said nothing. */
function promptIn(words: readonly SpokenWords[]): Pick<SpokenWords, 'source'> {
  const { source } = words.find(({ role }) => role === 'prompt') ?? {};
  return source === undefined || words.some(({ role }) => role === 'user') ? {} : { source };
}
