import type { Clock } from '../../clock.ts';
import { stemsOf } from '../../language/words.ts';
import type { Passage } from '../../projections/memory/index/documents.ts';
import { type PackItem, packContext } from '../../projections/memory/packContext.ts';
import type { Remembered } from '../../projections/memory/remembered.ts';
import { EMPTY_FENCE, type FencedSection, harmless } from '../fence.ts';
import type { AllFound, NearStatement, Searching } from './searching.ts';
import { speakerOf } from './speaker.ts';
import { type Belief, type Statements, vectorIdOf } from './statements.ts';
import { noLongerSo } from './superseded.ts';

/** What the model is told of what is remembered. */
export interface Recalled {
  /** None when there is nothing to tell. */
  readonly sections: readonly FencedSection[];
  readonly items: readonly RecalledItem[];
}

export interface RecalledItem {
  readonly kind: 'profile' | 'conclusion' | 'relationship' | 'episode' | 'turn';
  readonly id: string;
  /** Where a passage is from. */
  readonly episodeId?: string;
  /** Episodes on which something that is believed rests. */
  readonly sources?: readonly string[];
  /** Whose words they are, where they are not ours. */
  readonly speaker?: string | undefined;
  readonly text: string;
  readonly timestamp: number;
  readonly score: number;
}

export interface RecallRequest {
  readonly userId: string;
  readonly query: string;
  /** In tokens. */
  readonly budget: number;
  /** The conversation that goes on: what was said in it the model knows already. */
  readonly conversationId?: string | undefined;
  /** Nothing is told of it yet: who asks the same soon is answered sooner. */
  readonly isAhead?: boolean;
}

interface RecallParts {
  readonly searching: Pick<Searching, 'search'>;
  readonly statementsOf: (userId: string) => Promise<Statements>;
  readonly clock: Clock;
}

interface Item extends PackItem, Omit<RecalledItem, 'id' | 'text' | 'score' | 'speaker'> {
  readonly role?: Passage['role'];
}

const EPISODES = 20;
const PASSAGES = 60;
const MOST_CONCLUSIONS = 100;
const MOST_RELATIONSHIPS = 30;
/** So many come because of what they mean. */
const NEAR_STATEMENTS = 12;
/** What a conclusion is worth that has nothing to do with the question: it fills what is left. */
const UNASKED = 0.05;

/** Chooses what is worth telling the model, by what the user says now, and fits it into the budget. */
export async function recall(parts: RecallParts, request: RecallRequest): Promise<Recalled> {
  const { userId, query, conversationId } = request;
  const known = await parts.statementsOf(userId);
  const { memory } = known;
  const { passages, statements } = known.areNone ? NOTHING : await foundFor(parts, request);
  const isNew = ({ episodeId }: Passage) =>
    conversationId === undefined || memory.episodes[episodeId]?.conversationId !== conversationId;
  const items = [
    ...known.profile.map((line, order) => about(line, order, 1)),
    ...conclusionItems(known, query, statements),
    ...relationshipItems(known, query, statements),
    ...passageItems(memory, passages.filter(isNew)),
  ];
  const { groups } = packContext<Item>(items, {
    budget: request.budget - tokensIn(EMPTY_FENCE),
    tokensOf: (text) => tokensIn(harmless(text)),
  });
  const shown = groups.flatMap(({ items: packed }) => packed);
  const sections = groups.map(({ group, at, items: packed }) => {
    const lines = packed.map(({ item, text }) => {
      const speaker = speakerOf(item, text);
      return speaker === undefined ? text : `${speaker}: ${text}`;
    });
    return { heading: headingOf(group, at), lines };
  });
  return {
    sections,
    items: shown.map(({ item, item: { kind, id, episodeId, sources, timestamp, score }, text }) => ({
      kind,
      id,
      ...(episodeId === undefined ? {} : { episodeId }),
      ...(sources === undefined ? {} : { sources }),
      speaker: speakerOf(item, text),
      text,
      timestamp,
      score,
    })),
  };
}

type FoundFor = Pick<AllFound, 'passages' | 'statements'>;
const NOTHING: FoundFor = { passages: [], statements: [] };

function foundFor(
  { searching, clock }: RecallParts,
  { userId, query, isAhead }: RecallRequest,
): Promise<FoundFor> {
  const wanted = { query, limit: EPISODES, passages: PASSAGES, statements: NEAR_STATEMENTS, now: clock() };
  return searching.search(userId, { ...wanted, isAhead });
}

const ABOUT_USER = 'about';

function headingOf(group: string, at: number): string {
  return group === ABOUT_USER ? 'About the user:' : `In a conversation on ${dayOf(at)}:`;
}

function conclusionItems(
  { conclusions }: Statements,
  query: string,
  near: readonly NearStatement[],
): readonly Item[] {
  const best = scoredBy(query, conclusions, near).slice(0, MOST_CONCLUSIONS);
  return best.map(({ statement, score }, index) =>
    about({ ...statement, text: `${statement.text} (${dayOf(statement.at)})` }, 1_000 + index, score),
  );
}

/** Only those that have to do with what is asked: of others there may be any number. */
function relationshipItems(
  { relationships }: Statements,
  query: string,
  near: readonly NearStatement[],
): readonly Item[] {
  const best = scoredBy(query, relationships, near).filter(({ score }) => score > UNASKED);
  return best
    .slice(0, MOST_RELATIONSHIPS)
    .map(({ statement, score }, index) => about(statement, 2_000 + index, score));
}

/** Without the conclusions that only fill what is left of a context, unless all that is known of the user is asked. */
export function askedOf(items: readonly RecalledItem[], query: string): readonly RecalledItem[] {
  if (stemsOf(query).every((word) => word === 'user')) return items;
  return items.filter(({ kind, score }) => kind !== 'conclusion' || score > UNASKED);
}

export interface ScoredStatement {
  readonly statement: Belief;
  readonly score: number;
}

/** How much each has to do with what is asked, by its words and by what it means, the best first. */
export function scoredBy(
  query: string,
  statements: readonly Belief[],
  near: readonly NearStatement[],
): readonly ScoredStatement[] {
  const asked = new Set(stemsOf(query));
  const nearness = new Map(near.map((one) => [vectorIdOf(one.statement), one.nearness]));
  return statements
    .map((statement) => {
      const meant = nearness.get(vectorIdOf(statement)) ?? 0;
      return { statement, score: Math.max(relevance(statement, asked), weighed(statement, meant)) };
    })
    .sort((one, other) => other.score - one.score);
}

/** Of each what it speaks of: it is asked again with every turn. */
const stems = new WeakMap<object, ReadonlySet<string>>();

/** How much of what is asked something speaks of; what is certain comes before what is not. */
export function relevance(
  statement: { readonly text: string | null; readonly confidence: number },
  asked: ReadonlySet<string>,
): number {
  const own = stems.get(statement) ?? new Set(stemsOf(statement.text ?? ''));
  stems.set(statement, own);
  let shared = 0;
  for (const stem of own) if (asked.has(stem)) shared++;
  return weighed(statement, asked.size === 0 ? 0 : shared / Math.min(own.size, asked.size));
}

function weighed({ confidence }: { readonly confidence: number }, share: number): number {
  return share > 0 ? share * 0.9 + confidence * 0.1 : UNASKED * confidence;
}

function about({ kind, id, text, at, sources }: Belief, order: number, score: number): Item {
  const item = { kind, id, text, order, at, timestamp: at, score, group: ABOUT_USER };
  return sources.length === 0 ? item : { ...item, sources };
}

function passageItems(memory: Remembered, passages: readonly Passage[]): readonly Item[] {
  const remarks = noLongerSo(memory, passages);
  const told = (passage: Passage, text: string) =>
    remarks.has(passage) ? `${text} [${remarks.get(passage)}]` : text;
  const most = Math.max(...passages.map(({ score }) => score), Number.EPSILON);
  return passages.map((passage) => {
    const { id, episodeId, kind, text, excerpt, at, role, speaker, order, score } = passage;
    return {
      kind,
      id,
      episodeId,
      group: episodeId,
      order,
      at,
      timestamp: at,
      score: score / most,
      text: told(passage, text),
      excerpt: told(passage, excerpt),
      ...(role && { role }),
      ...(speaker !== undefined && { speaker }),
    };
  });
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** About as a tokenizer would count, and rather too many. */
function tokensIn(text: string): number {
  let others = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) others++;
  return Math.ceil((text.length - others) / 3.9 + others * 0.8);
}
