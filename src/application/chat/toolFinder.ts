import { allStemsOf, stemsOf } from '../../language/words.ts';
import type { Tool } from './tool.ts';
import type { ToolRegistry } from './toolRegistry.ts';
import type { ToolVectors } from './toolVectors.ts';

export const DISCOVER_TOOLS = 'discover_tools';

/** What is looked for. */
interface ToolQuery {
  readonly text: string;
  readonly most: number;
  /** Least similarity, where an embedding model tells it. */
  readonly threshold: number;
  readonly category?: string;
  /** Those that are of use; all, where it is not given. */
  readonly isWanted?: ((tool: Tool) => boolean) | undefined;
  /** Added to how well a tool fits, which is 1 at best. */
  readonly boost?: (tool: Tool) => number;
}

/** More of a question says little more about which tools it needs. */
const LONGEST_QUERY = 2_000;

/**
 * Finds tools by meaning, and by words when no embedding model answers in time or nothing is near enough: many
 * models see a question and the description of its tool far apart.
 */
export class ToolFinder {
  readonly #registry: Pick<ToolRegistry, 'list'>;
  readonly #vectors: Pick<ToolVectors, 'similarities'>;
  #all: readonly Tool[] = [];
  #findable: readonly Tool[] = [];
  #own: readonly Tool[] = [];
  #keywords = new KeywordIndex([]);

  constructor(registry: Pick<ToolRegistry, 'list'>, vectors: Pick<ToolVectors, 'similarities'>) {
    this.#registry = registry;
    this.#vectors = vectors;
  }

  /** All tools that can be found, in the order of names. */
  all(): readonly Tool[] {
    this.#refresh();
    return this.#findable;
  }

  /** Of these the service's own, those that are needed every day first. */
  own(): readonly Tool[] {
    this.#refresh();
    return this.#own;
  }

  /** Those that fit, the best first. */
  async find({
    text,
    most,
    threshold,
    category,
    isWanted,
    boost = () => 0,
  }: ToolQuery): Promise<readonly Tool[]> {
    const asked = text.slice(0, LONGEST_QUERY);
    const all = this.all();
    const similarities = await this.#vectors.similarities(asked, all);
    const fits = (tool: Tool) =>
      (category === undefined || tool.category === category) && isWanted?.(tool) !== false;
    const ranked = (scores: ReadonlyMap<Tool, number>, least: number) =>
      Array.from(scores, ([tool, score]) => ({ tool, score: score + boost(tool) }))
        .filter(({ tool, score }) => fits(tool) && score >= least)
        .sort((one, other) => other.score - one.score || (one.tool.name < other.tool.name ? -1 : 1))
        .slice(0, most)
        .map(({ tool }) => tool);
    const near = similarities ? ranked(similarities, threshold) : [];
    return near.length > 0 ? near : ranked(this.#keywords.relevance(asked), 0);
  }

  #refresh(): void {
    const all = this.#registry.list();
    if (all === this.#all) return;
    this.#all = all;
    this.#findable = all.filter(({ name }) => name !== DISCOVER_TOOLS);
    const own = this.#findable.filter(({ hints }) => hints !== undefined);
    const isEveryday = ({ hints }: Tool) => hints?.everyday === true;
    this.#own = [...own.filter(isEveryday), ...own.filter((tool) => !isEveryday(tool))];
    this.#keywords = new KeywordIndex(this.#findable);
  }
}

/* Okapi BM25, as it is usually set. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

const NAME_WEIGHT = 3;
const CATEGORY_WEIGHT = 2;

interface Posting {
  readonly tool: Tool;
  /** What the word adds to the score of this tool. */
  readonly weight: number;
}

/** What a phrase of a tool's hints adds, counted in words that one tool alone has. */
const HINT_WEIGHT = 1.5;
/** In a phrase, any number or time. */
const NUMBER = '#';

/** Words that say together what is wanted. */
interface Phrase {
  readonly tool: Tool;
  readonly others: readonly string[];
}

/** Finds tools by the words of their names, categories and descriptions, and by the phrases of their hints. */
export class KeywordIndex {
  readonly #postings: ReadonlyMap<string, readonly Posting[]>;
  /** By the first of their words. */
  readonly #phrases: ReadonlyMap<string, readonly Phrase[]>;
  readonly #phraseWeight: number;

  constructor(tools: readonly Tool[]) {
    this.#phrases = phrasesOf(tools);
    this.#phraseWeight = HINT_WEIGHT * (SATURATION + 1) * rarityOf(1, tools.length);
    const counted = tools.map((tool) => ({ tool, counts: countsOf(tool) }));
    const lengths = counted.map(({ counts }) => sum(counts.values()));
    const usualLength = sum(lengths) / Math.max(1, lengths.length);
    const containing = new Map<string, number>();
    for (const { counts } of counted)
      for (const stem of counts.keys()) containing.set(stem, (containing.get(stem) ?? 0) + 1);
    const postings = new Map<string, Posting[]>();
    counted.forEach(({ tool, counts }, index) => {
      const length = (lengths[index] ?? 0) / (usualLength || 1);
      for (const [stem, count] of counts) {
        const rarity = rarityOf(containing.get(stem) ?? 1, tools.length);
        const damping = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length);
        const weight = (rarity * count * (SATURATION + 1)) / (count + damping);
        const list = postings.get(stem) ?? [];
        postings.set(stem, list);
        list.push({ tool, weight });
      }
    });
    this.#postings = postings;
  }

  /** How well each tool fits, from above 0 to 1 for the best; those that share no word are left out. */
  relevance(text: string): ReadonlyMap<Tool, number> {
    const scores = new Map<Tool, number>();
    for (const stem of new Set(stemsOf(text)))
      for (const { tool, weight } of this.#postings.get(stem) ?? [])
        scores.set(tool, (scores.get(tool) ?? 0) + weight);
    const said = new Set(allStemsOf(text).map(numberless));
    for (const stem of said)
      for (const { tool, others } of this.#phrases.get(stem) ?? [])
        if (others.every((other) => said.has(other)))
          scores.set(tool, (scores.get(tool) ?? 0) + this.#phraseWeight);
    const best = Math.max(0, ...scores.values());
    for (const [tool, score] of scores) scores.set(tool, score / best);
    return scores;
  }
}

function phrasesOf(tools: readonly Tool[]): ReadonlyMap<string, readonly Phrase[]> {
  const phrases = new Map<string, Phrase[]>();
  for (const tool of tools)
    for (const phrase of tool.hints?.phrases?.split(',') ?? []) {
      const [first = NUMBER, ...others] = stemsOfPhrase(phrase);
      const list = phrases.get(first) ?? [];
      phrases.set(first, list);
      list.push({ tool, others });
    }
  return phrases;
}

function stemsOfPhrase(phrase: string): readonly string[] {
  return phrase.split(/\s+/).flatMap((word) => (word === NUMBER ? [NUMBER] : allStemsOf(word)));
}

function numberless(stem: string): string {
  return /^\d/.test(stem) ? NUMBER : stem;
}

/** How much it says that a tool has a word which so many of them have. */
function rarityOf(within: number, tools: number): number {
  return Math.log(1 + (tools - within + 0.5) / (within + 0.5));
}

function countsOf({ name, category, description }: Tool): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (text: string, weight: number) => {
    for (const stem of stemsOf(text)) counts.set(stem, (counts.get(stem) ?? 0) + weight);
  };
  add(name, NAME_WEIGHT);
  add(category, CATEGORY_WEIGHT);
  add(description, 1);
  return counts;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
