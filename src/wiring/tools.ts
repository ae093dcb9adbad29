import type { Tool, ToolSelector } from '../application/chat/tool.ts';
import { ToolCalls } from '../application/chat/toolCalls.ts';
import { ToolFinder } from '../application/chat/toolFinder.ts';
import { ToolRegistry } from '../application/chat/toolRegistry.ts';
import { ToolSelection, ToolTokens } from '../application/chat/toolSelection.ts';
import { ToolVectors } from '../application/chat/toolVectors.ts';
import type { ScopeOf } from '../application/deviceScope.ts';
import type { Models } from '../application/models.ts';
import type { SlotBook } from '../application/providers/slotBook.ts';
import type { HabitsOf } from '../application/timeHabits.ts';
import type { Clock } from '../clock.ts';
import { errorMessages } from '../errors.ts';
import { fairShare } from '../fairShare.ts';
import { Tokenizer } from '../gateways/tokens/tokenizer.ts';
import type { AnyOperation, ToolOperation } from '../interfaces/operation.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import { toolOf, toolsAmong } from '../interfaces/tools/operationTool.ts';
import { clockNow, discoverTools, sessionStatus } from '../interfaces/tools/ownTools.ts';
import type { VoiceSessions } from '../interfaces/voiceSessions.ts';
import type { Backbone } from './backbone.ts';

/** Whose tools those are that come and go with the key-value store. */
const WITH_KVSTORE = 'hark with its key-value store';
/** As much as a request may have. */
const MOST_TOLD_CLIENTS = 1_048_576;

interface ToolsOptions {
  readonly settings: Pick<RuntimeSettings, 'number' | 'value'>;
  readonly models: Pick<Models, 'embed'>;
  readonly slots: Pick<SlotBook, 'view'>;
  readonly voiceSessions: VoiceSessions;
  readonly habitsOf: HabitsOf;
  readonly kvstore: Pick<Backbone, 'onPresence'>;
  /** What a device may at the moment. */
  readonly scopeOf: ScopeOf;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown, correlationId?: string) => void;
  readonly patienceMs: number | undefined;
}

/** The wiring of everything about tools: which there are, who chooses among them, and who runs them. */
export class Tools {
  readonly #options: ToolsOptions;
  readonly #vectors: ToolVectors;
  readonly #finder: ToolFinder;
  /** Why those are not there that come and go with the key-value store. */
  readonly #absent = new Map<string, string>();
  readonly registry: ToolRegistry;
  readonly calls: ToolCalls;
  /** For MCP's clients, who have room for more than a model. */
  readonly callsOfClients: ToolCalls;
  readonly selector: ToolSelector;
  readonly tokenizer: Tokenizer;

  constructor(options: ToolsOptions) {
    this.#options = options;
    const { models, slots, clock, onFailure, patienceMs } = options;
    this.registry = new ToolRegistry(onFailure);
    const running = {
      registry: this.registry,
      scopeOf: options.scopeOf,
      whyAbsent: (name: string) => this.#absent.get(name),
      onFailure,
    };
    this.calls = new ToolCalls(running);
    this.callsOfClients = new ToolCalls({ ...running, mostCharacters: MOST_TOLD_CLIENTS });
    this.tokenizer = new Tokenizer({ onFailure });
    this.#vectors = new ToolVectors({
      isConfigured: () => slots.view().slots.embedding !== undefined,
      async embed(texts, signal) {
        const asking = { slot: 'embedding', correlationId: 'tools', signal } as const;
        const { provider, model, vectors } = await models.embed(asking, { texts });
        return { model: `${provider}/${model}`, vectors };
      },
      clock,
      onFailure,
      longestWaitMs: patienceMs,
    });
    this.#finder = new ToolFinder(this.registry, this.#vectors);
    this.selector = new ToolSelection({
      registry: this.registry,
      finder: this.#finder,
      calls: this.calls,
      tokens: new ToolTokens((texts) => this.tokenizer.count(texts)),
      limits: () => this.#limits(),
    });
  }

  /** Offers what is a tool of these, and the tools that are nothing else. */
  offer(operations: readonly AnyOperation[], others: readonly ToolOperation[] = []): void {
    const most = () => this.#limits().maxTools;
    const { voiceSessions, kvstore, clock, habitsOf } = this.#options;
    const own = [
      sessionStatus(voiceSessions),
      clockNow(clock, habitsOf),
      discoverTools({ finder: this.#finder, most }),
    ];
    const lasting: Tool[] = [];
    for (const operation of [...toolsAmong(operations), ...own, ...others]) {
      const { name, needsKvstore, wording } = operation.tool;
      if (needsKvstore === undefined) this.registry.register('hark', toolOf(operation));
      else {
        lasting.push(toolOf(operation));
        this.#absent.set(name, wording?.[needsKvstore] ?? errorMessages[needsKvstore]);
      }
    }
    this.registry.reserve(WITH_KVSTORE, this.#absent.keys());
    kvstore.onPresence((isThere) => this.registry.replace(WITH_KVSTORE, isThere ? lasting : []));
  }

  /** Draws up what its tools take and give, one after the other, so that neither the first turn nor a client waits for it. */
  async start(): Promise<void> {
    for (const tool of this.registry.list()) {
      await fairShare();
      schemasOf(tool);
    }
  }

  async stop(): Promise<void> {
    this.#vectors.stop();
    await this.tokenizer.stop();
  }

  #limits() {
    const { settings } = this.#options;
    return {
      maxTools: settings.number('toolMaxTools'),
      tokenBudget: settings.number('toolTokenBudget'),
      similarityThreshold: settings.number('toolSimilarityThreshold'),
      includeMetaTools: settings.value('toolIncludeMetaTools') === true,
    };
  }
}

/** A tool makes them when they are first read. */
function schemasOf({ input, output }: Tool) {
  return { input, output };
}
