import type {
  CalledTool,
  CallerContext,
  ShownTool,
  Tool,
  ToolCallOutcome,
  ToolSelector,
  ToolWish,
  TurnTools,
} from './tool.ts';
import type { ToolCalls } from './toolCalls.ts';
import { DISCOVER_TOOLS, type ToolFinder } from './toolFinder.ts';
import type { ToolRegistry } from './toolRegistry.ts';

/** Of the category used last; the one before gets half of it, and so on. */
const RECENT_BOOST = 0.1;
/** A conversation that goes on with what it did has not to say its name again. */
const KEPT_AT_HAND = 3;
/** A turn that discovers for ever is shown no more than this; it may call all the same what it found. */
const MOST_SHOWN = 64;

export interface SelectionLimits {
  readonly maxTools: number;
  readonly similarityThreshold: number;
  readonly includeMetaTools: boolean;
  /** What fits is shown whatever it costs; the service's own others, until all together cost this much. */
  readonly tokenBudget: number;
}

interface ToolSelectionOptions {
  readonly registry: Pick<ToolRegistry, 'get'>;
  readonly finder: ToolFinder;
  readonly calls: ToolCalls;
  readonly tokens: ToolTokens;
  readonly limits: () => SelectionLimits;
}

type IsWanted = (tool: Tool) => boolean;

/**
 * Chooses the tools that a turn is shown: those that the conversation used last, those that fit what is asked, and the
 * service's own for as long as there is room, `maxTools` together; `discover_tools` comes on top. Where there are no
 * more than that, all are shown. They come in the order of their names: the same tools are the same text to a provider
 * that caches its prompts.
 */
export class ToolSelection implements ToolSelector {
  readonly #options: ToolSelectionOptions;

  constructor(options: ToolSelectionOptions) {
    this.#options = options;
  }

  async select(wish: ToolWish): Promise<TurnTools> {
    const { registry, finder, calls, tokens, limits } = this.#options;
    const allowed = limits();
    const { userId, deviceId } = wish;
    const isWanted = (tool: Tool) => calls.isFor(tool, { userId, deviceId, inChat: true });
    const all = deviceId === undefined ? finder.all() : finder.all().filter(isWanted);
    const chosen = all.length <= allowed.maxTools ? all : await this.#choose(wish, allowed, isWanted);
    const meta = allowed.includeMetaTools ? registry.get(DISCOVER_TOOLS) : undefined;
    return new SelectedTools({ registry, calls, tokens, isWanted }, meta ? [...chosen, meta] : chosen);
  }

  async #choose(
    { text, lately }: ToolWish,
    allowed: SelectionLimits,
    isWanted: IsWanted,
  ): Promise<readonly Tool[]> {
    const { maxTools, similarityThreshold: threshold } = allowed;
    const { registry, finder } = this.#options;
    const used = [...new Set(lately)].flatMap((name) => registry.get(name) ?? []).filter(isWanted);
    const atHand = used.filter(({ name }) => name !== DISCOVER_TOOLS).slice(0, KEPT_AT_HAND);
    const boosts = boostsOf(used);
    const boost = ({ category }: Tool) => boosts.get(category) ?? 0;
    const found = await finder.find({ text, most: maxTools, threshold, boost, isWanted });
    const fitting = [...new Set([...atHand, ...found])].slice(0, maxTools);
    return this.#withOwn(fitting, allowed, isWanted).sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Fills up with the service's own, whose words nobody has to guess then. */
  #withOwn(fitting: readonly Tool[], { maxTools, tokenBudget }: SelectionLimits, isWanted: IsWanted): Tool[] {
    const { finder, tokens } = this.#options;
    const chosen = new Set(fitting);
    let cost = tokens.of(fitting);
    for (const tool of finder.own()) {
      if (chosen.size >= maxTools) break;
      if (chosen.has(tool) || !isWanted(tool)) continue;
      cost += tokens.of([tool]);
      if (cost > tokenBudget) break;
      chosen.add(tool);
    }
    return [...chosen];
  }
}

function boostsOf(used: readonly Tool[]): ReadonlyMap<string, number> {
  const categories = [...new Set(used.map(({ category }) => category))];
  return new Map(categories.map((category, age) => [category, RECENT_BOOST / 2 ** age]));
}

interface SelectedOptions extends Pick<ToolSelectionOptions, 'registry' | 'calls' | 'tokens'> {
  readonly isWanted: IsWanted;
}

class SelectedTools implements TurnTools {
  readonly #options: SelectedOptions;
  #shown: readonly ShownTool[];

  constructor(options: SelectedOptions, shown: readonly ShownTool[]) {
    this.#options = options;
    this.#shown = shown;
    void options.tokens.count(shown);
  }

  get shown(): readonly ShownTool[] {
    return this.#shown;
  }

  get tokens(): number {
    return this.#options.tokens.of(this.#shown);
  }

  run(call: CalledTool, context: CallerContext, signal: AbortSignal): Promise<ToolCallOutcome> {
    const known = this.#shown;
    const reveal = (names: readonly string[]) => this.#show(names);
    // Whoever calls a tool by heart sees from then on what it takes.
    reveal([call.name]);
    return this.#options.calls.run(call, { context: { ...context, reveal }, signal, known });
  }

  #show(names: readonly string[]): void {
    const { registry, tokens, isWanted } = this.#options;
    const added = names
      .flatMap((name) => registry.get(name) ?? [])
      .filter(isWanted)
      .filter(({ name }) => !this.#shown.some((shown) => shown.name === name))
      .slice(0, Math.max(0, MOST_SHOWN - this.#shown.length));
    if (added.length === 0) return;
    this.#shown = [...this.#shown, ...added];
    void tokens.count(added);
  }
}

/** As JSON of tools usually has them; a guess for the moment before the tokens are counted. */
const CHARACTERS_A_TOKEN = 4;

interface Manifest {
  readonly json: string;
  tokens: number | undefined;
}

/** What tools cost in tokens of the model, each counted once for as long as it stays as it is. */
export class ToolTokens {
  readonly #count: (texts: readonly string[]) => Promise<readonly number[]>;
  readonly #manifests = new WeakMap<ShownTool, Manifest>();

  constructor(count: (texts: readonly string[]) => Promise<readonly number[]>) {
    this.#count = count;
  }

  /** Of the tools as a list of JSON. An estimate as long as one was not counted; `count` sees to that. */
  of(tools: readonly ShownTool[]): number {
    let total = 0;
    for (const tool of tools) {
      const { json, tokens } = this.#manifestOf(tool);
      // And what stands between two of them.
      total += (tokens ?? Math.ceil(json.length / CHARACTERS_A_TOKEN)) + 1;
    }
    return total;
  }

  async count(tools: readonly ShownTool[]): Promise<void> {
    const manifests = tools
      .map((tool) => this.#manifestOf(tool))
      .filter(({ tokens }) => tokens === undefined);
    if (manifests.length === 0) return;
    const counted = await this.#count(manifests.map(({ json }) => json));
    manifests.forEach((manifest, index) => {
      manifest.tokens = counted[index];
    });
  }

  #manifestOf(tool: ShownTool): Manifest {
    const cached = this.#manifests.get(tool);
    if (cached) return cached;
    const { name, description, input } = tool;
    const manifest = { json: JSON.stringify({ name, description, input }), tokens: undefined };
    this.#manifests.set(tool, manifest);
    return manifest;
  }
}
