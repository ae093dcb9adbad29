import type { ModelRef } from '../../events/providers.ts';
import { catalogs } from '../../projections/providers/catalogs.ts';
import type { Views } from '../../projections/runtime.ts';
import type { Models } from '../models.ts';
import { contentsOf, contextOf, linesOf, type PastTurn } from './pastTurns.ts';
import { chunksOf, extract, summaryPrompt, turnsToSumUp } from './summary.ts';
import { cut } from './toolOutput.ts';

/** The summary takes up to this share of what the conversation may take. */
const SUMMARY_SHARE = 1 / 8;
const SMALLEST_SUMMARY = 128;
const LARGEST_SUMMARY = 1_000;
const CHARACTERS_A_TOKEN = 4;
/** The turn waits for it. */
const LONGEST_WRITING_MS = 30_000;

interface CondenseParts {
  readonly models: Pick<Models, 'complete'>;
  readonly tokens: {
    count(texts: readonly string[], owner: string): Promise<readonly number[]>;
    atMost(text: string): number;
  };
  readonly onFailure: (what: string, error: unknown) => void;
  /** How long models may take in all. */
  readonly longestWritingMs?: number;
}

export interface LongConversation {
  /** What the model would be told again, oldest first: without those that the earlier summary stands for. */
  readonly turns: readonly PastTurn[];
  readonly earlier: string | null;
  /** Tokens that fit into the model that is going to be asked. */
  readonly contextLength: number;
  /** From which share of them on the conversation is too long. */
  readonly share: number;
  readonly userId: string;
  readonly correlationId: string;
  readonly signal: AbortSignal;
}

export interface Condensed {
  /** The last turn that the summary stands for. */
  readonly uptoTurnId: string;
  /** Stands for the earlier summary too. */
  readonly summary: string;
  readonly tokens: number;
}

interface CondenserOptions extends CondenseParts {
  /** The log, while it is there. */
  readonly context: { readonly current: { readonly views: Views } | undefined };
  readonly share: () => number;
}

/** Sums up what is too long for the model that is going to be asked. */
export type Condense = (
  conversation: Omit<LongConversation, 'contextLength' | 'share'>,
  model: ModelRef | undefined,
) => Promise<Condensed | undefined>;

/** Conversations are summed up when they take too much of the model that is going to be asked. */
export function condenser({ context, share, ...parts }: CondenserOptions): Condense {
  const lengthOf = ({ provider, model }: ModelRef) => {
    const listed = context.current?.views.view(catalogs).byProvider[provider]?.models;
    return contextOf(provider, listed?.find(({ id }) => id === model)?.contextLength ?? null);
  };
  return async (conversation, model) =>
    model && condense(parts, { ...conversation, contextLength: lengthOf(model), share: share() });
}

/**
 * Sums up the oldest turns of a conversation that has become too long for its model; undefined when it has not. A
 * model writes the summary; where none does, it is made of the beginnings of what was said. Fails only when it is
 * cancelled.
 */
export async function condense(
  parts: CondenseParts,
  conversation: LongConversation,
): Promise<Condensed | undefined> {
  const { turns, earlier, contextLength, share, signal } = conversation;
  const limit = Math.floor(contextLength * share);
  const most = Math.min(Math.max(Math.floor(limit * SUMMARY_SHARE), SMALLEST_SUMMARY), LARGEST_SUMMARY);
  const costs = await costsOf(parts, conversation, limit);
  if (!costs) return undefined;
  const old = turns.slice(0, turnsToSumUp(costs, limit, most));
  const last = old.at(-1);
  if (!last) return undefined;
  const written = await write(parts, conversation, old, most);
  signal.throwIfAborted();
  const summary = await shorten(
    parts,
    written ?? extract(earlier, old, most * CHARACTERS_A_TOKEN),
    most,
    conversation.userId,
  );
  const [tokens = 0] = await parts.tokens.count([summary], conversation.userId);
  return { uptoTurnId: last.turnId, summary, tokens };
}

/** Of each turn; undefined when all of them fit. Where even the bytes fit, nothing is counted. */
async function costsOf(
  { tokens }: CondenseParts,
  { turns, earlier, userId }: LongConversation,
  limit: number,
): Promise<readonly number[] | undefined> {
  const contents = turns.map(contentsOf);
  const all = [earlier ?? '', ...contents.flatMap(({ texts }) => texts)];
  const images = contents.reduce((sum, { imageTokens }) => sum + imageTokens, 0);
  if (all.reduce((sum, text) => sum + tokens.atMost(text), images) <= limit) return undefined;
  const [earlierTokens = 0, ...counts] = await tokens.count(all, userId);
  let from = 0;
  const costs = contents.map(({ texts, imageTokens }) => {
    const own = counts.slice(from, from + texts.length);
    from += texts.length;
    return own.reduce((sum, count) => sum + count, imageTokens);
  });
  return costs.reduce((sum, cost) => sum + cost, earlierTokens) > limit ? costs : undefined;
}

/** Undefined when no model wrote it to the end. */
async function write(
  { models, onFailure, longestWritingMs = LONGEST_WRITING_MS }: CondenseParts,
  { earlier, correlationId, signal }: LongConversation,
  old: readonly PastTurn[],
  most: number,
): Promise<string | undefined> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(longestWritingMs)]);
  for (const slot of ['summarization', 'chat'] as const) {
    if (limited.aborted) break;
    try {
      let notes = earlier;
      for (const chunk of chunksOf(old.flatMap(linesOf))) {
        const asking = { slot, correlationId, signal: limited };
        notes = await writtenBy(models.complete(asking, summaryPrompt(notes, chunk, most)));
      }
      if (notes) return notes;
    } catch (error) {
      if (signal.aborted) return undefined;
      onFailure('summary of a conversation', error);
    }
  }
  return undefined;
}

async function writtenBy(answer: ReturnType<Models['complete']>): Promise<string> {
  let text = '';
  for await (const part of answer) {
    if (part.type === 'text') text += part.text;
    if (part.type === 'finish' && part.reason === 'refused') throw new TypeError('The model refused');
  }
  if (text.trim() === '') throw new TypeError('The model wrote nothing');
  return text.trim();
}

/** A model may write more than it was asked for. */
async function shorten(
  { tokens }: CondenseParts,
  summary: string,
  most: number,
  userId: string,
): Promise<string> {
  let text = summary;
  for (;;) {
    const [count = 0] = tokens.atMost(text) <= most ? [0] : await tokens.count([text], userId);
    if (count <= most) return text;
    text = cut(text, Math.min(text.length - 1, Math.floor((text.length * most) / count)));
  }
}
