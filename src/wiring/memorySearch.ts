import { beginningTypes, documentsOf, documentsSince, spokenTypes } from '../application/memory/documents.ts';
import { Embedder } from '../application/memory/embedder.ts';
import { MissingVectors } from '../application/memory/missingVectors.ts';
import type { BackgroundGuard } from '../application/memory/ports.ts';
import { QueryExpansion, QueryVectors } from '../application/memory/queryVectors.ts';
import { SearchByMeaning } from '../application/memory/searchByMeaning.ts';
import { Searching } from '../application/memory/searching.ts';
import { Statements } from '../application/memory/statements.ts';
import { StatementVectors } from '../application/memory/statementVectors.ts';
import { vectorsOf, vectorTypes } from '../application/memory/vectorEvents.ts';
import type { Models } from '../application/models.ts';
import type { SlotBook } from '../application/providers/slotBook.ts';
import type { Clock, Wake } from '../clock.ts';
import type { Config } from '../config.ts';
import type { SharedReading } from '../folds/sharedReading.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import { knownEntities } from '../projections/entities/knownEntities.ts';
import { IndexThread } from '../projections/memory/index/indexThread.ts';
import { MemoryIndex } from '../projections/memory/index/memoryIndex.ts';
import type { SavingOptions } from '../projections/memory/index/savedIndex.ts';
import { InProcessVectors } from '../projections/memory/index/vectors/inProcessVectors.ts';
import type { VectorIndex } from '../projections/memory/index/vectors/vectorIndex.ts';
import { VectorsInStore } from '../projections/memory/index/vectors/vectorsInStore.ts';
import { remembered } from '../projections/memory/remembered.ts';
import type { Saga } from '../sagas/saga.ts';
import type { Store } from '../store/port.ts';

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
  readonly patienceMs: number | undefined;
}

/** What stands on the log of the moment. */
interface SearchContext {
  readonly store: Store;
  readonly searching: Searching;
  readonly missing: MissingVectors;
  readonly byMeaning: SearchByMeaning;
  readonly stopSaving: () => void;
}

interface VectorsThere {
  readonly vectors: VectorIndex;
  readonly absence: () => string | undefined;
  readonly stop: () => void;
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
    const { models, slots, settings, clock, onFailure, patienceMs: limitMs } = options;
    this.#embedder = new Embedder({ models, slot: () => slots.view().slots.embedding, clock });
    this.#statementVectors = new StatementVectors({
      runner: () => options.kvstore.connected().runner,
      statementsOf: (userId) => this.statementsOf(userId),
      embedder: this.#embedder,
      guard: options.guard,
    });
    this.#queryVectors = new QueryVectors({ embedder: this.#embedder, onFailure, limitMs });
    this.#expansion = new QueryExpansion({
      models,
      isOn: () => settings.value('memoryQueryExpansion') === true,
      isSet: () => slots.view().slots.classification !== undefined,
      local: () => slots.localChoice('classification'),
      onFailure,
      limitMs,
    });
  }

  async sagas(): Promise<readonly Saga[]> {
    const { embedEpisodes } = await import('../sagas/memory/embedEpisodes.ts');
    const { embedStatements } = await import('../sagas/memory/embedStatements.ts');
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

  check(): Promise<string> {
    return this.#contextOfLog().byMeaning.check();
  }

  async stop(): Promise<void> {
    this.#queryVectors.stop();
    this.#expansion.stop();
    await this.#letGo();
    await this.#indexes.close();
  }

  #contextOfLog(): SearchContext {
    const { store, runner, views } = this.#options.kvstore.connected();
    if (this.#context?.store === store) return this.#context;
    void this.#letGo();
    const { settings, guard, clock, wake, onFailure } = this.#options;
    const embedder = this.#embedder;
    const { reading } = views;
    const memoryOf = (userId: string) => views.of(remembered, userId);
    const saving: SavingOptions = { store, settled: (userId) => searching.settled(userId) };
    const index = new MemoryIndex(this.#indexes, {
      async *documents(userId, after) {
        if (after > 0) {
          yield* documentsSince(store.readAll({ after, userId, types: beginningTypes }), store);
          return;
        }
        const episodes = memoryOf(userId).then((memory) => memory.episodes);
        yield* documentsOf(reading.of(userId, spokenTypes), episodes);
      },
      clock,
      wake,
      saving,
    });
    const { vectors, absence, stop } = this.#vectorsFor(store, reading, saving);
    const wanted = () => settings.value('memorySearchMode');
    const byMeaning = new SearchByMeaning({ wanted, embedder, vectors, absence });
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
        mode: byMeaning.mode,
        threshold: settings.number('memorySimilarityThreshold'),
      }),
      onFailure,
    });
    const stopSaving = () => {
      index.stop();
      stop();
    };
    const context = { store, searching, missing, byMeaning, stopSaving };
    this.#context = context;
    store.onReplaced(() => {
      if (this.#context === context) void this.#letGo();
    });
    return context;
  }

  #vectorsFor(store: Store, reading: SharedReading, saving: SavingOptions): VectorsThere {
    const { clock, wake, config } = this.#options;
    const inStore = config.SERVICE_MEMORY_VECTORS === 'auto' ? store.vectors : undefined;
    if (inStore) {
      const vectors = new VectorsInStore({
        store: inStore,
        vectors: (userId, after) => vectorsOf(store.readAll({ after, userId, types: vectorTypes })),
      });
      return { vectors, absence: () => inStore.absence, stop: () => {} };
    }
    const vectors = new InProcessVectors(this.#indexes, {
      vectors: (userId, after) =>
        vectorsOf(
          after === 0
            ? reading.of(userId, vectorTypes)
            : store.readAll({ after, userId, types: vectorTypes }),
        ),
      clock,
      wake,
      saving,
    });
    return { vectors, absence: () => undefined, stop: () => vectors.stop() };
  }

  async #letGo(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    context?.searching.stop();
    context?.stopSaving();
    await context?.missing.stop();
  }
}
