import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Heed } from '../application/chat/briefing.ts';
import { forgetNames } from '../application/devices/forgettingNames.ts';
import { actOnConsolidation } from '../application/memory/actOnConsolidation.ts';
import type { Embedder } from '../application/memory/embedder.ts';
import type { ImportItem } from '../application/memory/importing.ts';
import type { BackgroundGuard } from '../application/memory/ports.ts';
import { type Recalled, type RecallRequest, recall } from '../application/memory/recall.ts';
import type { Models } from '../application/models.ts';
import type { SlotBook } from '../application/providers/slotBook.ts';
import { habitsOfService } from '../application/timeHabits.ts';
import type { TopicActor } from '../application/topicActors.ts';
import type { Clock, Wake } from '../clock.ts';
import type { Config } from '../config.ts';
import type { HealthRegistry } from '../interfaces/healthRegistry.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation, Caller, ToolOperation } from '../interfaces/operation.ts';
import { conclusionOperations } from '../interfaces/operations/conclusions.ts';
import { contradictionOperations } from '../interfaces/operations/contradictions.ts';
import { memoryOperations } from '../interfaces/operations/memory.ts';
import { memoryExportOperations } from '../interfaces/operations/memoryExport.ts';
import { type ImportWays, memoryImportOperations } from '../interfaces/operations/memoryImport.ts';
import { memoryItemOperations } from '../interfaces/operations/memoryItems.ts';
import { memorySearchOperations } from '../interfaces/operations/memorySearch.ts';
import { preferenceOperations } from '../interfaces/operations/preferences.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import { memoryTools } from '../interfaces/tools/memory.ts';
import { onFirstUse } from '../onFirstUse.ts';
import { remembered } from '../projections/memory/remembered.ts';
import type { AnySaga } from '../sagas/saga.ts';
import type { CaptureUnderstanding } from './capture.ts';
import { Entities } from './entities.ts';
import { MemorySearch } from './memorySearch.ts';
import { MemoryUnderstanding } from './memoryUnderstanding.ts';
import { type Cause, retrieved, searchedMemory } from './tracedMemory.ts';

interface MemoryOptions {
  readonly config: Config;
  readonly settings: Pick<RuntimeSettings, 'number' | 'value'>;
  readonly kvstore: Kvstore;
  readonly models: Models;
  readonly slots: Pick<SlotBook, 'view' | 'localChoice'>;
  readonly guard: BackgroundGuard;
  readonly countTokens: (text: string, userId: string) => Promise<readonly number[]>;
  readonly clock: Clock;
  readonly wake: Wake;
  readonly onFailure: (what: string, error: unknown) => void;
  readonly patienceMs: number | undefined;
}

const DAY_MS = 24 * 60 * 60_000;

const heeding = onFirstUse(async () => ({
  ...(await import('../application/memory/heeding.ts')),
  ...(await import('../application/memory/answerByRule.ts')),
}));

/** The wiring of everything about what is remembered. */
export class Memory {
  readonly #options: MemoryOptions;
  readonly #search: MemorySearch;
  readonly #understanding: MemoryUnderstanding;
  readonly #entities: Entities;

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.#search = new MemorySearch(options);
    this.#understanding = new MemoryUnderstanding({ ...options, search: this.#search });
    const { language } = this.#understanding;
    this.#entities = new Entities({ ...options, language });
  }

  /** Loaded when it is asked for: few starts ever import. */
  async #foreign() {
    const { ForeignMemory } = await import('../gateways/foreignMemory/foreignMemory.ts');
    const { SERVICE_IMPORT_ROOTS: roots, SERVICE_DATA_DIR } = this.#options.config;
    const inbox = join(SERVICE_DATA_DIR, 'import');
    return new ForeignMemory({ home: homeOr(inbox), roots, inbox });
  }

  async sagas(): Promise<readonly AnySaga[]> {
    const [{ consolidateSessions }, { rememberTurns }, { expireMemory }] = await Promise.all([
      import('../sagas/memory/consolidation.ts'),
      import('../sagas/memory/remembering.ts'),
      import('../sagas/memory/retention.ts'),
      // So that the first turn need not wait for it.
      heeding(),
    ]);
    const { kvstore, guard, settings } = this.#options;
    const shared = { context: () => kvstore.connected(), retentionMs: () => this.#retentionMs };
    return [
      consolidateSessions({ ...shared, ...this.understanding, guard }),
      rememberTurns({
        ...shared,
        understand: this.#understanding.offline,
        mostIngests: () => settings.number('memoryIngestsPerSession'),
      }),
      expireMemory(shared),
      await this.#entities.saga(),
      ...(await this.#search.sagas()),
    ];
  }

  actors(): readonly TopicActor[] {
    return [actOnConsolidation(() => this.#options.kvstore.connected())];
  }

  operations(): readonly AnyOperation[] {
    const { kvstore, settings, countTokens } = this.#options;
    const whileThere = async <Result>(work: () => Promise<Result>) => {
      kvstore.reachable();
      return work();
    };
    return [
      ...memoryOperations(kvstore, {
        erased: (caller, version) => this.#entities.forget(caller, version),
        allErased: async (caller, version) => {
          await this.#entities.forget(caller, version);
          await forgetNames(kvstore.connected(), { ...caller, version });
        },
      }),
      ...memorySearchOperations({
        memoryOf: (userId) => kvstore.reachable().views.of(remembered, userId),
        search: (caller, query, limit) => {
          const { searching } = this.#search;
          const sought = { query, limit, statements: limit, now: this.#options.clock() };
          return searchedMemory(
            caller,
            () => searching.search(caller.userId, sought),
            ({ episodes }) => episodes.length,
          );
        },
        recall: (caller, query, budget) => whileThere(() => this.#recallFor(caller, query, budget)),
        countTokens: async (text, userId) => (await countTokens(text, userId))[0] ?? 0,
        ask: (question, caller) => whileThere(() => this.#ask(question, caller)),
      }),
      ...conclusionOperations({
        kvstore,
        erased: (caller, version) => this.#entities.forget(caller, version),
        retentionMs: () => this.#retentionMs,
      }),
      ...contradictionOperations(kvstore),
      ...memoryExportOperations(kvstore, this.#options.clock),
      ...memoryImportOperations({
        clock: this.#options.clock,
        foreign: () => this.#foreign(),
        importItems: (items, caller, how) => this.#import(items, caller, how),
      }),
      ...memoryItemOperations((userId) => this.#search.statementsOf(userId)),
      ...this.#entities.operations(),
      ...preferenceOperations(kvstore, () => habitsOfService(settings)),
    ];
  }

  /** What the model is told of what is remembered. */
  recall({
    budget,
    cause,
    ...request
  }: Omit<RecallRequest, 'budget'> & {
    /** What it is traced as a part of. */
    readonly cause?: Cause;
    readonly budget?: number | undefined;
  }): Promise<Recalled> {
    const { clock, settings } = this.#options;
    const { searching } = this.#search;
    const parts = {
      searching: {
        search: (userId: string, sought: Parameters<typeof searching.search>[1]) =>
          retrieved(cause, sought.limit, () => searching.search(userId, sought)),
      },
      statementsOf: (userId: string) => this.#search.statementsOf(userId),
      clock,
    };
    return recall(parts, { ...request, budget: budget ?? settings.number('memoryTokenBudget') });
  }

  #recallFor({ userId, ...caller }: Caller, query: string, budget?: number): Promise<Recalled> {
    const { correlationId } = caller;
    return searchedMemory(
      caller,
      () => this.recall({ userId, query, budget, cause: { correlationId } }),
      ({ items }) => items.length,
    );
  }

  /** What the user asks of it in plain words. */
  async heed({ exchanges, ...asked }: Parameters<Heed>[0]): ReturnType<Heed> {
    const before = () =>
      exchanges.flatMap(({ origin, text }) => (origin === 'user' && text !== null ? [text] : []));
    const { kvstore, clock } = this.#options;
    const { answerByRule, heed, notesOn } = await heeding();
    const heeded = await heed({ context: () => kvstore.connected(), clock }, { ...asked, before });
    const known = { heeded, said: asked.text, before: exchanges.at(-1) };
    return {
      notes: notesOn(heeded),
      byRule: (exchange, language) => answerByRule({ ...known, language }, exchange),
    };
  }

  tools(): readonly ToolOperation[] {
    const { kvstore, clock } = this.#options;
    return memoryTools({ kvstore, clock, recall: (caller, query) => this.#recallFor(caller, query) });
  }

  /** The model of the `embedding` slot, as it is asked about memory. */
  get embedder(): Embedder {
    return this.#search.embedder;
  }

  /** How words are made sense of, wherever they come from. */
  get understanding(): CaptureUnderstanding {
    return {
      understand: this.#understanding.withModels,
      offline: this.#understanding.offline,
      slots: () => Object.values(this.#understanding.slots()).filter((slot) => slot !== undefined),
      retentionMs: () => this.#retentionMs,
    };
  }

  registerChecks(health: HealthRegistry): void {
    health.register('memory-semantic', () => this.#search.check());
  }

  async stop(): Promise<void> {
    await Promise.all([this.#understanding.stop(), this.#search.stop()]);
  }

  get #retentionMs(): number {
    return this.#options.settings.number('memoryRetentionDays') * DAY_MS;
  }

  async #ask(question: string, { userId, correlationId, signal }: Caller) {
    const { models, slots, clock, onFailure } = this.#options;
    const statementsOf = (user: string) => this.#search.statementsOf(user);
    const hasModel = () => slots.view().slots.chat !== undefined;
    const parts = { searching: this.#search.searching, statementsOf, models, hasModel, clock, onFailure };
    const { askAbout } = await import('../application/memory/ask.ts');
    return askAbout(parts, { userId, question, correlationId, signal });
  }

  /** With no model, whatever is set: an import may bring more than anybody wants to pay for. */
  async #import(
    items: AsyncIterable<ImportItem>,
    { userId, correlationId, signal }: Caller,
    how: ImportWays,
  ) {
    const { runner, views } = this.#options.kvstore.connected();
    const { importItems } = await import('../application/memory/importing.ts');
    const { clock } = this.#options;
    const parts = {
      runner,
      views,
      understand: this.#understanding.offline,
      clock,
      retentionMs: () => this.#retentionMs,
    };
    return importItems(parts, items, { userId, correlationId, signal, ...how });
  }
}

/** A user whom the system does not know has none, as in a container that is run as any user. */
function homeOr(other: string): string {
  try {
    return homedir();
  } catch {
    return other;
  }
}
