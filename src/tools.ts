import type { Clock } from './clock.ts';
import { Tokenizer } from './gateways/tokens/tokenizer.ts';
import type { AnyOperation } from './interfaces/operation.ts';
import type { RuntimeSettings } from './interfaces/runtimeSettings.ts';
import { discoverTools } from './interfaces/tools/discoverTools.ts';
import { toolOf, toolsAmong } from './interfaces/tools/operationTool.ts';
import { sessionStatus } from './interfaces/tools/sessionStatus.ts';
import type { VoiceSessions } from './interfaces/voiceSessions.ts';
import type { ToolSelector } from './sagas/chat/tool.ts';
import { ToolCalls } from './sagas/chat/toolCalls.ts';
import { ToolFinder } from './sagas/chat/toolFinder.ts';
import { ToolRegistry } from './sagas/chat/toolRegistry.ts';
import { ToolSelection } from './sagas/chat/toolSelection.ts';
import { ToolTokens } from './sagas/chat/toolTokens.ts';
import { ToolVectors } from './sagas/chat/toolVectors.ts';
import type { Models } from './sagas/models.ts';
import type { SlotBook } from './sagas/providers/slotBook.ts';

interface ToolsOptions {
  readonly settings: Pick<RuntimeSettings, 'number' | 'value'>;
  readonly models: Pick<Models, 'embed'>;
  readonly slots: Pick<SlotBook, 'view'>;
  readonly voiceSessions: VoiceSessions;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of everything about tools: which there are, who chooses among them, and who runs them. */
export class Tools {
  readonly #options: ToolsOptions;
  readonly #vectors: ToolVectors;
  readonly #finder: ToolFinder;
  readonly registry: ToolRegistry;
  readonly calls: ToolCalls;
  readonly selector: ToolSelector;
  readonly tokenizer: Tokenizer;

  constructor(options: ToolsOptions) {
    this.#options = options;
    const { models, slots, clock, onFailure } = options;
    this.registry = new ToolRegistry(onFailure);
    this.calls = new ToolCalls({ registry: this.registry, onFailure });
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
  offer(operations: readonly AnyOperation[]): void {
    const most = () => this.#limits().maxTools;
    const own = [sessionStatus(this.#options.voiceSessions), discoverTools({ finder: this.#finder, most })];
    this.registry.register('hark', ...toolsAmong(operations), ...own.map(toolOf));
  }

  async stop(): Promise<void> {
    this.#vectors.stop();
    await this.tokenizer.stop();
  }

  #limits() {
    const { settings } = this.#options;
    return {
      maxTools: settings.number('toolMaxTools'),
      similarityThreshold: settings.number('toolSimilarityThreshold'),
      includeMetaTools: settings.value('toolIncludeMetaTools') === true,
    };
  }
}
