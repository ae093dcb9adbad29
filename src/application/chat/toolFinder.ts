import { KeywordIndex } from './keywordIndex.ts';
import type { Tool } from './tool.ts';
import type { ToolRegistry } from './toolRegistry.ts';
import type { ToolVectors } from './toolVectors.ts';

export const DISCOVER_TOOLS = 'discover_tools';

/** What is looked for. */
export interface ToolQuery {
  readonly text: string;
  readonly most: number;
  /** Least similarity, where an embedding model tells it. */
  readonly threshold: number;
  readonly category?: string;
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
  async find({ text, most, threshold, category, boost = () => 0 }: ToolQuery): Promise<readonly Tool[]> {
    const asked = text.slice(0, LONGEST_QUERY);
    const all = this.all();
    const similarities = await this.#vectors.similarities(asked, all);
    const fits = (tool: Tool) => category === undefined || tool.category === category;
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
