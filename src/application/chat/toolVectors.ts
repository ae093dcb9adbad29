import type { Clock } from '../../clock.ts';
import { withinTime } from '../timeout.ts';
import type { Tool } from './tool.ts';
import { cut } from './toolOutput.ts';

const LONGEST_WAIT_MS = 150;
const LONGEST_EMBEDDING_MS = 20_000;
const PAUSE_MS = 30_000;
const LONGEST_TEXT = 2_000;
const MOST_MODELS = 2;

export interface ToolEmbedding {
  /** Whose vectors they are: those of different models cannot be compared. */
  readonly model: string;
  readonly vectors: readonly Float32Array[];
}

interface ToolVectorsOptions {
  isConfigured(): boolean;
  embed(texts: readonly string[], signal: AbortSignal): Promise<ToolEmbedding>;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
  /** How long somebody waits for an answer. */
  readonly longestWaitMs?: number | undefined;
}

type Vectors = Map<string, Float32Array>;

/**
 * How near tools are to what is asked, by an embedding model. Nobody waits for it long: what comes too late still
 * fills the cache, so that a model that had to be loaded first, or new tools, cost one answer and not every one.
 * Until it came, nobody waits at all; and after a failure nobody asks for a while.
 */
export class ToolVectors {
  readonly #options: ToolVectorsOptions;
  readonly #longestWaitMs: number;
  readonly #byModel = new Map<string, Vectors>();
  readonly #filling = new Map<string, Promise<void>>();
  readonly #stopped = new AbortController();
  #late: Promise<unknown> | undefined;
  #pausedUntil = 0;

  constructor(options: ToolVectorsOptions) {
    this.#options = options;
    this.#longestWaitMs = options.longestWaitMs ?? LONGEST_WAIT_MS;
  }

  /** From -1 to 1 for each tool. Undefined when it cannot be told, or not in time. */
  async similarities(text: string, tools: readonly Tool[]): Promise<ReadonlyMap<Tool, number> | undefined> {
    const { isConfigured, clock } = this.#options;
    if (!isConfigured() || this.#late || clock() < this.#pausedUntil) return undefined;
    const answer = this.#compare(text, tools);
    const inTime = await withinTime(answer, this.#longestWaitMs);
    if (inTime) return inTime.value;
    this.#late ??= answer.finally(() => {
      this.#late = undefined;
    });
    return undefined;
  }

  /** Gives up what is still being asked. */
  stop(): void {
    this.#stopped.abort();
  }

  async #compare(text: string, tools: readonly Tool[]): Promise<ReadonlyMap<Tool, number> | undefined> {
    try {
      const { model, vectors } = await this.#embed([text]);
      const [wanted] = vectors.map(normalized);
      const byText = await this.#vectorsOf(tools, model);
      if (!wanted || !byText) return undefined;
      const similarity = (tool: Tool) => dot(wanted, byText.get(textOf(tool)));
      return new Map(tools.map((tool) => [tool, similarity(tool)]));
    } catch (error) {
      if (this.#stopped.signal.aborted) return undefined;
      this.#pausedUntil = this.#options.clock() + PAUSE_MS;
      this.#options.onFailure('embedding for tools', error);
      return undefined;
    }
  }

  /** Undefined when another model answered meanwhile. */
  async #vectorsOf(tools: readonly Tool[], model: string): Promise<Vectors | undefined> {
    const isKnown = (text: string) => this.#byModel.get(model)?.has(text) === true;
    const wanted = tools.map(textOf);
    await this.#filling.get(model);
    const missing = wanted.filter((text) => !isKnown(text));
    if (missing.length > 0) {
      const filling = this.#filling.get(model) ?? this.#fill(missing, new Set(wanted));
      this.#filling.set(model, filling);
      await filling.finally(() => this.#filling.delete(model));
    }
    return missing.every(isKnown) ? this.#byModel.get(model) : undefined;
  }

  async #fill(missing: readonly string[], wanted: ReadonlySet<string>): Promise<void> {
    const answer = await this.#embed(missing);
    const vectors = this.#vectorsFor(answer.model);
    missing.forEach((text, index) => {
      vectors.set(text, normalized(answer.vectors[index] ?? new Float32Array()));
    });
    // What is no tool any more, or is described otherwise now.
    for (const text of vectors.keys()) if (!wanted.has(text)) vectors.delete(text);
  }

  #vectorsFor(model: string): Vectors {
    const vectors: Vectors = this.#byModel.get(model) ?? new Map();
    this.#byModel.delete(model);
    this.#byModel.set(model, vectors);
    const [oldest] = this.#byModel.keys();
    if (this.#byModel.size > MOST_MODELS && oldest !== undefined) this.#byModel.delete(oldest);
    return vectors;
  }

  #embed(texts: readonly string[]): Promise<ToolEmbedding> {
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(LONGEST_EMBEDDING_MS)]);
    return this.#options.embed(
      texts.map((text) => cut(text, LONGEST_TEXT)),
      signal,
    );
  }
}

const texts = new WeakMap<Tool, string>();

/** What the model gets to see of a tool. */
function textOf(tool: Tool): string {
  const cached = texts.get(tool);
  if (cached !== undefined) return cached;
  const text = `${tool.name.replaceAll(/[._-]/g, ' ')}: ${tool.description}`;
  texts.set(tool, text);
  return text;
}

/** Of length 1; all zeros where it says nothing. */
function normalized(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : new Float32Array();
}

/** In four sums: the processor would wait for a single one at each step, which takes three times as long. */
function dot(one: Float32Array, other: Float32Array | undefined): number {
  if (!other || one.length !== other.length) return 0;
  const at = (index: number) => (one[index] ?? 0) * (other[index] ?? 0);
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let index = 0; index < one.length; index += 4) {
    first += at(index);
    second += at(index + 1);
    third += at(index + 2);
    fourth += at(index + 3);
  }
  return first + second + third + fourth;
}
