import type { Clock } from '../../clock.ts';
import type { ModelMessage } from '../../gateways/models/gateway.ts';
import type { Conversation } from '../../projections/chat/conversation.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import { named } from '../../tracing/context.ts';
import type { SlotName } from '../../vocabulary.ts';
import { plainTime } from '../../zonedTime.ts';
import type { CallingTurn } from '../callingTurn.ts';
import { type FencedSection, fenced } from '../fence.ts';
import type { Models } from '../models.ts';
import type { RuleAnswer } from '../ruleAnswer.ts';
import type { HabitsOf } from '../timeHabits.ts';
import type { Condense, Condensed } from './condense.ts';
import type { IntentRouter } from './intentRouter.ts';
import { messagesOf, showImages } from './messages.ts';
import type { Given, TurnRequest } from './request.ts';
import type { ShownTool, ToolSelector, TurnTools } from './tool.ts';

/** What a turn is told before its first step. */
export interface Briefing {
  readonly slot: SlotName;
  readonly intent: string | null;
  readonly system: string;
  /** What was said before. */
  readonly history: readonly ModelMessage[];
  /** What has just been summed up, to be written down. */
  readonly summed?: Condensed | undefined;
  /** Ids of what memory put in. */
  readonly recalled?: readonly string[];
  /** When memory was asked, by a clock that only goes forward, and how long that took. */
  readonly recall?: { readonly startedMs: number; readonly ms: number };
  readonly tools: TurnTools;
  readonly given?: Given;
  /** What is answered with no model, where none does: nothing where that takes one. */
  readonly byRule?: ((exchange: Exchange) => RuleAnswer | undefined) | undefined;
}

/** Everything that is known when a turn's first step is due. */
interface BriefingRequest
  extends Omit<TurnRequest, 'turnId'>,
    Pick<Conversation, 'exchanges' | 'summary'>,
    Pick<CallingTurn, 'turnId' | 'conversationId' | 'receivedAt'> {
  readonly signal: AbortSignal;
}

export type BriefingMaker = (request: BriefingRequest) => Promise<Briefing>;

/** What is remembered that bears on what the user says, as a section of what the model is told. */
export type Recall = (request: {
  readonly userId: string;
  /** What it is traced as a part of. */
  readonly cause?: { readonly correlationId: string; readonly within: string };
  readonly query: string;
  /** What was said in it is told anyway. */
  readonly conversationId: string | undefined;
  /** The turn may still come, and asks the same then. */
  readonly isAhead?: boolean;
}) => Promise<{
  readonly sections: readonly FencedSection[];
  readonly items: readonly { readonly id: string; readonly episodeId?: string }[];
}>;

interface ToHeed extends Pick<CallingTurn, 'turnId' | 'conversationId' | 'receivedAt'> {
  readonly userId: string;
  readonly correlationId: string;
  readonly deviceId?: string | undefined;
  readonly text: string;
  /** What was said before in the session, oldest first. */
  readonly exchanges: Conversation['exchanges'];
}

/**
 * What the user asks in plain words, as far as it is certain. What needs no tool is done when this resolves; `byRule`
 * answers where no model does.
 */
export type Heed = (request: ToHeed) => Promise<{
  /** Told to the model. */
  readonly notes: readonly string[];
  /** In the language that the user chose, as far as there are replies in it. */
  readonly byRule: (exchange: Exchange, language: string | undefined) => RuleAnswer | undefined;
}>;

/** Several that heed a message, each its own part of it, and answer together. */
export function allHeed(all: readonly Heed[]): Heed {
  return async (request) => {
    const heeded = await Promise.all(all.map((heed) => heed(request)));
    return {
      notes: heeded.flatMap(({ notes }) => notes),
      byRule: (exchange, language) => {
        const answers = heeded.flatMap(({ byRule }) => byRule(exchange, language) ?? []);
        if (answers.length === 0) return undefined;
        const calls = answers.flatMap((answer) => answer.calls);
        // What came of the calls is told with all the rest, when they have returned.
        return { text: calls.length > 0 ? '' : answers.map(({ text }) => text).join('\n\n'), calls };
      },
    };
  };
}

interface MemoryOptions {
  readonly recall: Recall;
  readonly heed: Heed;
  /** The log, while it is there: without it nothing is remembered. */
  readonly context: { readonly current: object | undefined };
  readonly onFailure: (what: string, error: unknown) => void;
}

/** A turn is not worse off without memory, or where that fails, than it would be had nothing been remembered. */
export function memoryIfThere({ recall, heed, context, onFailure }: MemoryOptions): {
  readonly recall: Recall;
  readonly heed: Heed;
} {
  const orNothing = async <Answer>(what: string, asked: () => Promise<Answer>, nothing: Answer) => {
    if (!context.current) return nothing;
    return asked().catch((error) => {
      onFailure(what, error);
      return nothing;
    });
  };
  return {
    recall: (request) => orNothing('recall', () => recall(request), { sections: [], items: [] }),
    heed: (request) => orNothing('heed', () => heed(request), { notes: [], byRule: () => undefined }),
  };
}

interface BriefingParts {
  readonly clock: Clock;
  readonly tools: ToolSelector;
  readonly intents: Pick<IntentRouter, 'route'>;
  readonly models: Pick<Models, 'seesImages'>;
  readonly condense: Condense;
  readonly recall: Recall;
  readonly habitsOf: HabitsOf;
  readonly heed: Heed;
}

/**
 * Asks ahead what a turn will ask, while the user may still go on: what of it takes a model, or has to be loaded, is there
 * then. Nothing is written, and nothing of what is found is kept: what is so when the turn comes is told in it.
 */
export async function prepareTurn(
  { recall, intents }: Pick<BriefingParts, 'recall'> & { readonly intents: Pick<IntentRouter, 'prepare'> },
  { userId, text }: { readonly userId: string; readonly text: string },
): Promise<void> {
  await Promise.allSettled([
    recall({ userId, query: text, conversationId: undefined, isAhead: true }),
    intents.prepare(text),
  ]);
}

/** How many of the last turns say which tools are in use. */
const LATELY = 3;

const WHO_IT_IS =
  "You are hark, an assistant that runs on its user's own machine. Answer briefly unless asked for more. Use a tool " +
  'when it serves; say so when you do not know.';
const IN_THEIR_LANGUAGE = 'Answer in the language of the user.';

/** Puts together what the model is told: who it is, what was said before, and what it may do. */
export function briefingMaker(parts: BriefingParts): BriefingMaker {
  const { clock, tools, intents, models, condense } = parts;
  return async (request) => {
    const { userId, deviceId, turnId, text, exchanges, images, correlationId, given, signal } = request;
    // Before memory is asked, so that it tells what is so from now on.
    const { notes, byRule } = await heeded(parts, request);
    // The first turn gives a conversation its id. In one that it only begins, nothing was said that is told anyway.
    const conversationId = request.conversationId === turnId ? undefined : request.conversationId;
    const cause = { correlationId, within: named.recall(turnId) };
    const startedMs = performance.now();
    const recalling = parts
      .recall({ userId, query: text, conversationId, cause })
      .then((found) => ({ ...found, ms: performance.now() - startedMs }));
    const reading = parts.habitsOf(userId);
    const routed = request.slot ? undefined : await intents.route(text, signal);
    const slot = request.slot ?? routed?.slot ?? 'chat';
    const withImages = images.length > 0 || showImages(given?.messages ?? []);
    const upto = exchanges.findIndex(({ turnId }) => turnId === request.summary?.uptoTurnId);
    const earlier = upto === -1 ? null : (request.summary?.text ?? null);
    const turns = exchanges.slice(upto + 1).map((one) => ({
      turnId: one.turnId,
      origin: one.origin,
      messages: messagesOf(one),
    }));
    const summed = await condense({ turns, earlier, userId, correlationId, signal }, routed?.model);
    const kept = turns.slice(turns.findIndex(({ turnId }) => turnId === summed?.uptoTurnId) + 1);
    const recalled = await recalling;
    const summary = summaryOf(summed?.summary ?? earlier);
    const { timezone, language } = await reading;
    return {
      slot: withImages && !(await models.seesImages(slot)) ? 'chat' : slot,
      intent: routed?.intent ?? null,
      // What changes stands last: a provider that caches prompts has what comes before it.
      system: [
        given?.system ?? `${WHO_IT_IS} ${answersIn(language)}`,
        given?.demand,
        fenced([...summary, ...recalled.sections, ...sectionOf(notes)]),
        `It is ${plainTime(clock(), timezone)}.`,
      ]
        .filter(Boolean)
        .join('\n\n'),
      recall: { startedMs, ms: recalled.ms },
      recalled: [...new Set(recalled.items.map(({ id, episodeId }) => episodeId ?? id))],
      history: kept.flatMap(({ messages }) => messages),
      summed,
      // A client that has tools of its own, or wants an answer of a shape, is no place for these.
      byRule:
        !byRule || given?.tools || given?.manner.schema
          ? undefined
          : (exchange) => byRule(exchange, language),
      tools: given?.tools
        ? ofTheClient(given.tools)
        : besides(
            given?.clientTools,
            await tools.select({
              ...{ userId, deviceId, text, signal },
              lately: toolsOf(exchanges.slice(-LATELY)),
            }),
          ),
      ...(given ? { given } : {}),
    };
  };
}

function answersIn(language: string | undefined): string {
  if (language === undefined) return IN_THEIR_LANGUAGE;
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language);
  return `Answer in ${name} (${language}), whatever language the user writes in, unless they ask for another.`;
}

/** Only what the user says counts, and what is to be kept. */
async function heeded(
  { heed }: BriefingParts,
  request: BriefingRequest,
): Promise<Partial<Awaited<ReturnType<Heed>>>> {
  return request.origin === 'user' && !request.transient ? heed(request) : {};
}

function sectionOf(notes: readonly string[] = []): readonly FencedSection[] {
  return notes.length === 0 ? [] : [{ heading: 'Done by hark itself, just now:', lines: notes }];
}

/** Newest first. */
function toolsOf(exchanges: Conversation['exchanges']): readonly string[] {
  const names = exchanges.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls.map(({ name }) => name)));
  return [...new Set(names.reverse())];
}

function ofTheClient(shown: readonly ShownTool[]): TurnTools {
  return { shown, tokens: 0, run: () => Promise.reject(new TypeError('The client runs its tools itself')) };
}

/** What the client has goes before what is hark's under the same name. */
function besides(shown: readonly ShownTool[] | undefined, tools: TurnTools): TurnTools {
  if (!shown?.length) return tools;
  const names = new Set(shown.map(({ name }) => name));
  return {
    get shown() {
      return [...shown, ...tools.shown.filter(({ name }) => !names.has(name))];
    },
    get tokens() {
      return tools.tokens;
    },
    run: (call, context, signal) => tools.run(call, context, signal),
  };
}

function summaryOf(summary: string | null): readonly FencedSection[] {
  if (summary === null) return [];
  return [{ heading: 'Earlier in this conversation, in short:', lines: summary.split(/\n+/) }];
}
