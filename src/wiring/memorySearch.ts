import { documentsOf, spokenTypes } from '../application/memory/documents.ts';
import { Embedder } from '../application/memory/embedder.ts';
import { MissingVectors } from '../application/memory/missingVectors.ts';
import type { BackgroundGuard } from '../application/memory/ports.ts';
import { QueryExpansion, QueryVectors } from '../application/memory/queryVectors.ts';
import { Searching, searchModes } from '../application/memory/searching.ts';
import { Statements } from '../application/memory/statements.ts';
import { StatementVectors } from '../application/memory/statementVectors.ts';
import { vectorsOf, vectorTypes } from '../application/memory/vectorEvents.ts';
import type { Models } from '../application/models.ts';
import type { SlotBook } from '../application/providers/slotBook.ts';
import { withinTime } from '../application/timeout.ts';
import type { Clock, Wake } from '../clock.ts';
import type { Config } from '../config.ts';
import { HarkError } from '../errors.ts';
import type { SharedReading } from '../folds/sharedReading.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import { knownEntities } from '../projections/entities/knownEntities.ts';
import { IndexThread } from '../projections/memory/index/indexThread.ts';
import { MemoryIndex } from '../projections/memory/index/memoryIndex.ts';
import { InProcessVectors } from '../projections/memory/index/vectors/inProcessVectors.ts';
import type { VectorIndex } from '../projections/memory/index/vectors/vectorIndex.ts';
import { VectorsInStore } from '../projections/memory/index/vectors/vectorsInStore.ts';
import { remembered } from '../projections/memory/remembered.ts';
import { embedEpisodes } from '../sagas/memory/embedEpisodes.ts';
import { embedStatements } from '../sagas/memory/embedStatements.ts';
import type { Saga } from '../sagas/saga.ts';
import type { Store } from '../store/port.ts';

const LONGEST_CHECK_MS = 1_000;

interface MemorySearchOptions {
  readonly config: Pick<Config, 'SERVICE_MEMORY_VECTORS'>;
  readonly settings: Pick<RuntimeSettings, 'number' | 'value'>;
  readonly kvstore: Kvstore;
  readonly models: Models;
  readonly slots: Pick<SlotBook, 'view' | 'localChoice'>;
  readonly guard: BackgroundGuard;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** What stands on the log of the moment. */
interface SearchContext {
  readonly store: Store;
  readonly searching: Searching;
  readonly missing: MissingVectors;
  readonly vectors: VectorIndex;
  /** Why nothing can be found by meaning here now, whatever model there is. */
  readonly absence: () => string | undefined;
}

/** The wiring of how memory is searched, by words and by meaning. */
export class MemorySearch {
  readonly #options: MemorySearchOptions;
  readonly #indexes = new IndexThread();
  readonly #embedder: Embedder;
  readonly #statementVectors: StatementVectors;
  readonly #queryVectors: QueryVectors;
  readonly #expansion: QueryExpansion;
  #context: SearchContext | undefined;

  constructor(options: MemorySearchOptions) {
    this.#options = options;
    const { models, slots, settings, clock, onFailure } = options;
    this.#embedder = new Embedder({ models, slot: () => slots.view().slots.embedding, clock });
    this.#statementVectors = new StatementVectors({
      runner: () => options.kvstore.connected().runner,
      statementsOf: (userId) => this.statementsOf(userId),
      embedder: this.#embedder,
      guard: options.guard,
    });
    this.#queryVectors = new QueryVectors({ embedder: this.#embedder, onFailure });
    this.#expansion = new QueryExpansion({
      models,
      isOn: () => settings.value('memoryQueryExpansion') === true,
      isSet: () => slots.view().slots.classification !== undefined,
      local: () => slots.localChoice('classification'),
      onFailure,
    });
  }

  sagas(): readonly Saga[] {
    const { kvstore, guard, clock } = this.#options;
    const embedder = this.#embedder;
    return [
      embedEpisodes({ context: () => kvstore.connected(), embedder, guard }),
      embedStatements({ embedder, vectors: this.#statementVectors, clock }),
    ];
  }

  /** What is believed about a user now. */
  async statementsOf(userId: string): Promise<Statements> {
    const { views } = this.#options.kvstore.connected();
    const [memory, entities] = await Promise.all([
      views.of(remembered, userId),
      views.of(knownEntities, userId),
    ]);
    return new Statements(memory, entities);
  }

  /** The model of the `embedding` slot, as it is asked about memory. */
  get embedder(): Embedder {
    return this.#embedder;
  }

  /** Throws when there is no log now. */
  get searching(): Searching {
    return this.#contextOfLog().searching;
  }

  /** How search by meaning is: a remark where it is not in use, or how much of it is loaded. */
  async check(): Promise<string> {
    const { vectors, absence } = this.#contextOfLog();
    if (this.#mode === 'keyword') return `Not in use (memorySearchMode): ${BY_WORDS}`;
    const missing = absence();
    if (missing !== undefined) return `${missing}: ${BY_WORDS}`;
    const answer = await withinTime(vectors.countAll(), LONGEST_CHECK_MS);
    if (!answer) throw new HarkError('CHECK_FAILED', { message: 'The vector index does not answer' });
    if (this.#embedder.model === undefined) return `No model in the embedding slot: ${BY_WORDS}`;
    if (this.#embedder.isFailing)
      throw new HarkError('CHECK_FAILED', { message: `The embedding model does not answer: ${BY_WORDS}` });
    const { vectors: documents, bytes } = answer.value;
    return `${documents} documents loaded, ${bytes} bytes`;
  }

  async stop(): Promise<void> {
    this.#queryVectors.stop();
    this.#expansion.stop();
    await this.#letGo();
    await this.#indexes.close();
  }

  get #mode() {
    return searchModes.find((mode) => mode === this.#options.settings.value('memorySearchMode')) ?? 'hybrid';
  }

  #contextOfLog(): SearchContext {
    const { store, runner, views } = this.#options.kvstore.connected();
    if (this.#context?.store === store) return this.#context;
    void this.#letGo();
    const { settings, guard, clock, wake, onFailure } = this.#options;
    const embedder = this.#embedder;
    const { reading } = views;
    const memoryOf = (userId: string) => views.of(remembered, userId);
    const index = new MemoryIndex(this.#indexes, {
      async *documents(userId) {
        const episodes = memoryOf(userId).then((memory) => memory.episodes);
        yield* documentsOf(reading.of(userId, spokenTypes), episodes);
      },
      clock,
      wake,
    });
    const { vectors, absence } = this.#vectorsFor(store, reading);
    const missing = new MissingVectors({
      store,
      runner,
      memoryOf,
      embedder,
      statements: this.#statementVectors,
      guard,
      onFailure,
    });
    const searching = new Searching({
      store,
      index,
      vectors,
      queryVectors: this.#queryVectors,
      expansion: this.#expansion,
      statementsOf: (userId) => this.statementsOf(userId),
      missing,
      settings: () => ({
        mode: embedder.model === undefined || absence() !== undefined ? 'keyword' : this.#mode,
        threshold: settings.number('memorySimilarityThreshold'),
      }),
      onFailure,
    });
    const context = { store, searching, missing, vectors, absence };
    this.#context = context;
    store.onReplaced(() => {
      if (this.#context === context) void this.#letGo();
    });
    return context;
  }

  #vectorsFor(store: Store, reading: SharedReading): Pick<SearchContext, 'vectors' | 'absence'> {
    const { clock, wake, config } = this.#options;
    const inStore = config.SERVICE_MEMORY_VECTORS === 'auto' ? store.vectors : undefined;
    return inStore
      ? {
          vectors: new VectorsInStore({
            store: inStore,
            vectors: (userId, after) => vectorsOf(store.readAll({ after, userId, types: vectorTypes })),
          }),
          absence: () => inStore.absence,
        }
      : {
          vectors: new InProcessVectors(this.#indexes, {
            vectors: (userId) => vectorsOf(reading.of(userId, vectorTypes)),
            clock,
            wake,
          }),
          absence: () => undefined,
        };
  }

  async #letGo(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    context?.searching.stop();
    await context?.missing.stop();
  }
}

const BY_WORDS = 'memory is searched by words';
