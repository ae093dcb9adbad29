import { folded } from './index/terms.ts';

/** What may be put before the model: a turn, a summary, a conclusion. */
export interface PackItem {
  readonly id: string;
  /** What is shown together under one heading: an episode, or the conclusions. */
  readonly group: string;
  /** Its place within the group. */
  readonly order: number;
  readonly at: number;
  readonly score: number;
  readonly text: string;
  /** The part that answers best, for when there is no room for the whole. */
  readonly excerpt?: string;
  /** Who says it. */
  readonly speaker?: string;
}

interface Packed<Item> {
  readonly item: Item;
  readonly text: string;
}

export interface PackedGroup<Item> {
  readonly group: string;
  readonly at: number;
  readonly items: readonly Packed<Item>[];
}

interface Packing {
  readonly budget: number;
  tokensOf(text: string): number;
  /** What a heading costs, with the line that it stands on. */
  readonly headingTokens?: number;
  /** What is around each text: the name, a bullet, the end of the line. */
  readonly tokensAround?: number;
}

/** Of the budget. What is longer leaves no room for anything else, and comes as its excerpt. */
const LARGEST_SHARE = 0.35;
const HEADING_TOKENS = 12;
const TOKENS_AROUND = 4;

/**
 * Chooses by score what fits into the budget, the same text once, and puts it in the order in which it happened.
 * Texts are taken word for word.
 */
export function packContext<Item extends PackItem>(
  items: readonly Item[],
  { budget, tokensOf, headingTokens = HEADING_TOKENS, tokensAround = TOKENS_AROUND }: Packing,
): { readonly groups: readonly PackedGroup<Item>[]; readonly tokens: number } {
  const chosen = new Map<string, Packed<Item>[]>();
  const said: string[] = [];
  let tokens = 0;
  for (const item of items.toSorted((one, other) => other.score - one.score)) {
    const same = folded(item.text).replace(/\s+/g, ' ').trim();
    if (same === '' || said.some((text) => text.includes(same))) continue;
    const group = chosen.get(item.group);
    const around = tokensAround + (group ? 0 : headingTokens);
    const room = budget - tokens - around;
    const fitting =
      fitted(item.text, item.excerpt ? Math.min(room, LARGEST_SHARE * budget) : room, tokensOf) ??
      fitted(item.excerpt ?? '', room, tokensOf);
    if (!fitting) continue;
    const { text, size } = fitting;
    tokens += around + size;
    said.push(same);
    if (group) group.push({ item, text });
    else chosen.set(item.group, [{ item, text }]);
  }
  return { groups: inOrder(chosen), tokens };
}

/** Undefined where there is no such text, or no room for it. */
function fitted(
  text: string,
  room: number,
  tokensOf: (text: string) => number,
): { readonly text: string; readonly size: number } | undefined {
  if (text === '') return undefined;
  const size = tokensOf(text);
  return size <= room ? { text, size } : undefined;
}

function inOrder<Item extends PackItem>(
  chosen: ReadonlyMap<string, readonly Packed<Item>[]>,
): readonly PackedGroup<Item>[] {
  return Array.from(chosen, ([group, items]) => ({
    group,
    at: Math.min(...items.map(({ item }) => item.at)),
    items: items.toSorted((one, other) => one.item.order - other.item.order),
  })).sort((one, other) => one.at - other.at);
}
