import { echoesIn, wordsInPart, wordsToldBy } from '../../application/memory/echoes.ts';
import { forgottenIn } from '../../application/memory/forgettingByWord.ts';
import type { BackgroundGuard, Understand, Understanding } from '../../application/memory/ports.ts';
import { Statements } from '../../application/memory/statements.ts';
import { type SpokenWords, saidIn, wordsIn } from '../../application/memory/words.ts';
import { type Consolidate, consolidate, deferConsolidation } from '../../commands/memory/consolidate.ts';
import { isRepeatedPrompt, type NewEpisode } from '../../commands/memory/episodes.ts';
import { type UserMemory, userMemory } from '../../commands/memory/state.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { entryOf } from '../../entryOf.ts';
import { chatStream, sessionEnded } from '../../events/chat.ts';
import { consolidationAsked, memoryStream } from '../../events/memory.ts';
import { speaksOf } from '../../language/forgotten.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import { knownEntities } from '../../projections/entities/knownEntities.ts';
import { remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { preferences } from '../../projections/settings/preferences.ts';
import type { EventReader } from '../../store/port.ts';
import type { SlotName } from '../../vocabulary.ts';
import { isModelAway, modelsAway } from '../retryPolicy.ts';
import { defineSaga, type Reaction, type Saga, TryAgainLater } from '../saga.ts';

/*
 * What happens when a session ends, or when somebody asks for it while the session goes on.
 *
 *   ended, asked ─► what was said of which nothing was made yet?
 *                     ├► nothing: settled, with the reason; while it goes on, not even that
 *                     └► may models be asked? ─► not now, or none answers: deferred, five times at most
 *                          └► understood, with models, or at last without
 *                               └► settled: an episode, and what follows from it about the user; where the user
 *                                  wants no transcripts, the words go at the same moment
 *
 * Entities, vectors and the next sweep follow from the episode, each in a saga of its own.
 */

/** The saga's name, and so its cursor's. */
export const CONSOLIDATION = 'consolidate-sessions';
/** A person who needs the machine, or a model that is away, is waited for so often. */
const MOST_DEFERRALS = 5;
const DEFERRED_FOR_MS = 60_000;
/** Why it waits, where the guard would not have it wait. */
const MODEL_AWAY = 'model_away';

export interface ConsolidationOptions {
  /** What stands while the saga runs. */
  readonly context: () => {
    readonly store: EventReader;
    readonly runner: CommandRunner;
    readonly views: UserViews;
  };
  /** With the models of these slots: those that are set for it. */
  readonly understand: Understand;
  readonly slots: () => readonly SlotName[];
  /** With none. */
  readonly offline: Understand;
  readonly guard: BackgroundGuard;
  readonly retentionMs: () => number;
}

/** Which session, whether it is over, and when that was. */
export interface ConsolidationRequest {
  readonly sessionId: string;
  readonly conversationId: string;
  readonly isOver: boolean;
  readonly at: number;
}

export function consolidateSessions(options: ConsolidationOptions): Saga {
  return defineSaga({
    name: CONSOLIDATION,
    on: [sessionEnded, consolidationAsked],
    retry: { tries: 6, firstPauseMs: 1_000, awaits: modelsAway },
    key: ({ owner }) => owner,
    async react(event, reaction) {
      const { sessionId, conversationId } = event.data;
      const isOver = event.type === sessionEnded.type;
      const occasion = { sessionId, conversationId, isOver, at: event.at };
      const userId = event.owner;
      const { store, runner, views } = options.context();
      const memory = await runner.read(userMemory, memoryStream(userId), userId);
      const { erasures } = memory;
      if (entryOf(memory.consolidated, conversationId)) return;
      const after = entryOf(memory.settledUpTo, conversationId) ?? null;
      const deferrals = entryOf(memory.deferrals, conversationId) ?? 0;
      const { effective } = await views.of(preferences, userId);
      const erasesWords = isOver && !effective.storeTranscripts;
      const settle = async (outcome: Outcome | undefined) => {
        const basis = { sessionId, conversationId, after, erasures, erasesWords };
        if (outcome) await reaction.run(consolidate, { ...basis, ...outcome });
      };
      if (!effective.persistMemory) return settle(nothingOf(occasion, 'opted-out'));
      const stream = chatStream(userId, { sessionId, turnId: '' });
      const said = await saidIn(store, stream, conversationId, { untilPosition: event.position });
      const { exchanges } = said;
      const wasSpoken = exchanges.some(({ platform }) => platform === 'voice');
      if (wasSpoken && !effective.storeTranscripts) return settle(nothingOf(occasion, 'opted-out'));
      const leftAside = entryOf(memory.leftAside, conversationId) ?? [];
      const part = partOf(said, occasion, { after, leftAside, prompted: memory.prompted });
      if (typeof part === 'string') return settle(nothingOf(occasion, part));
      const how = howToUnderstand(await options.guard.mayWork(options.slots()), deferrals);
      if (typeof how === 'object') return defer(conversationId, deferrals, how.waitsFor, reaction);
      const told = toldBy(part, await statementsOf(options, userId));
      const understanding = await options[how](wordsToldBy(told, part.words), {
        userId,
        correlationId: event.correlationId,
        signal: reaction.signal,
        needsModel: deferrals < MOST_DEFERRALS,
      }).catch((error) => {
        if (deferrals < MOST_DEFERRALS && isModelAway(error)) return undefined;
        throw error;
      });
      if (!understanding) return defer(conversationId, deferrals, MODEL_AWAY, reaction);
      const kept = { ...understanding, findings: notForgotten(understanding.findings, exchanges) };
      await settle(outcomeOf(kept, { ...part, told }, occasion, options.retentionMs()));
    },
  });
}

/** What was forgotten in the conversation by then is not found in what was said before. */
function notForgotten(
  findings: Understanding['findings'],
  said: readonly Exchange[],
): Understanding['findings'] {
  const forgotten = said.flatMap((exchange, place) => forgottenIn(exchange).map((text) => ({ text, place })));
  if (forgotten.length === 0) return findings;
  const placeOf = new Map(said.map(({ turnId }, place) => [turnId, place]));
  return findings.filter(
    ({ text, turnIds }) =>
      !forgotten.some(
        (one) => speaksOf(one.text, text) && turnIds.every((id) => (placeOf.get(id) ?? 0) <= one.place),
      ),
  );
}

/** What was said by then, and of that what is yet to be settled. */
interface Part {
  readonly words: readonly SpokenWords[];
  readonly unsettled: readonly SpokenWords[];
  /** The turn before them. */
  readonly after: string | null;
  /** Turns among them that are set aside now: they may be taken up again. */
  readonly leftAside: readonly string[];
  /** The last turn of it, where the conversation goes on. */
  readonly upTo: string | null;
  /** What asked, in a conversation in which the user said nothing. */
  readonly prompted: Pick<NewEpisode, 'source'>;
}

type Skipped = NonNullable<Consolidate['skipped']>;
type Outcome = Pick<Consolidate, 'skipped' | 'upTo' | 'aside' | 'episode' | 'findings'>;

interface Known extends Pick<UserMemory, 'prompted'> {
  /** The last turn that was settled before. */
  readonly after: string | null;
  /** Turns up to there that were set aside then. */
  readonly leftAside: readonly string[];
}

/** Of what was said, that of which memory is to be made; or why there is none. */
export function partOf(
  { exchanges, aside }: Awaited<ReturnType<typeof saidIn>>,
  { isOver }: Pick<ConsolidationRequest, 'isOver'>,
  known: Known,
): Part | Skipped {
  const running = isOver ? -1 : exchanges.findIndex(({ end }) => end === null);
  const words = exchanges.slice(0, running === -1 ? undefined : running).flatMap(wordsIn);
  if (words.length === 0) return 'erased';
  const upTo = (isOver ? null : words.at(-1)?.turnId) ?? null;
  const open = new Set(wordsInPart(words, { after: known.after, upTo }).map(({ turnId }) => turnId));
  for (const turnId of known.leftAside) open.add(turnId);
  const unsettled = words.filter(({ turnId }) => open.has(turnId) && !aside.has(turnId));
  const [first] = unsettled;
  if (!first) return 'settled-before';
  const after = words[words.indexOf(first) - 1]?.turnId ?? null;
  const leftAside = [...open.intersection(aside)];
  const { source } = words.find(({ role }) => role === 'prompt') ?? {};
  const prompted = source === undefined || words.some(({ role }) => role === 'user') ? {} : { source };
  if (isRepeatedPrompt(known, prompted)) return 'repeated';
  return { words, unsettled, after, leftAside, upTo, prompted };
}

/** With models where they may be asked; else it waits, though not for ever: then it does without. */
export function howToUnderstand(
  guard: Awaited<ReturnType<BackgroundGuard['mayWork']>>,
  deferrals: number,
): 'understand' | 'offline' | { readonly waitsFor: string } {
  if (guard.safe) return 'understand';
  return deferrals < MOST_DEFERRALS ? { waitsFor: guard.reason } : 'offline';
}

/** Counted in the log: a restart in between changes nothing. */
async function defer(
  conversationId: string,
  deferrals: number,
  reason: string,
  { run }: Reaction,
): Promise<never> {
  await run(deferConsolidation, { conversationId, reason }, { step: `defer-${deferrals + 1}` });
  throw new TryAgainLater(DEFERRED_FOR_MS);
}

async function statementsOf({ context }: ConsolidationOptions, userId: string): Promise<Statements> {
  const { views } = context();
  const entities = await views.of(knownEntities, userId);
  return new Statements(await views.of(remembered, userId), entities);
}

type Told = Pick<NewEpisode, 'turnId' | 'part' | 'echoes' | 'aside'>;

/**
 * Which words the episode tells of; what only repeats what memory had said is not among them, nor what is set aside, or
 * was told of before.
 */
function toldBy({ words, unsettled, after, upTo }: Part, statements: Statements): Told {
  const echoes = echoesIn(unsettled, statements);
  const own = new Set(unsettled.map(({ turnId }) => turnId));
  const around = new Set(wordsInPart(words, { after, upTo }).map(({ turnId }) => turnId));
  const aside = [...around.difference(own)];
  return {
    turnId: null,
    ...(after === null && upTo === null ? {} : { part: { after, upTo } }),
    ...(echoes.length > 0 ? { echoes } : {}),
    ...(aside.length > 0 ? { aside } : {}),
  };
}

/** What comes to nothing while it goes on may come to something with what follows. */
export function nothingOf(
  { isOver }: Pick<ConsolidationRequest, 'isOver'>,
  skipped: Skipped,
): Outcome | undefined {
  return isOver ? { skipped, episode: null, findings: [] } : undefined;
}

/** What follows from what was understood: nothing, or an episode and what it says about the user. */
export function outcomeOf(
  { findings, trivial, answer: _answer, ...understood }: Understanding,
  { unsettled, leftAside, upTo, prompted, told }: Omit<Part, 'words' | 'after'> & { readonly told: Told },
  occasion: ConsolidationRequest,
  retentionMs: number,
): Outcome | undefined {
  if (trivial && findings.length === 0) return nothingOf(occasion, 'trivial');
  const { sessionId, conversationId, at } = occasion;
  const episode: NewEpisode = {
    ...understood,
    ...prompted,
    ...told,
    type: 'conversation',
    sessionId,
    conversationId,
    happenedAt: unsettled.at(-1)?.at ?? at,
    expiresAt: at + retentionMs,
  };
  const goesOn = upTo === null ? {} : { upTo, ...(leftAside.length > 0 ? { aside: leftAside } : {}) };
  return { skipped: null, ...goesOn, episode, findings };
}
