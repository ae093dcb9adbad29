import type { ContradictionFinder } from '../application/maintenance/ports.ts';
import type { Embedder } from '../application/memory/embedder.ts';
import type { Models } from '../application/models.ts';
import type { SlotBook } from '../application/providers/slotBook.ts';
import type { Clock } from '../clock.ts';
import { type Config, ConfigError } from '../config.ts';
import { HarkError } from '../errors.ts';
import { modelName } from '../events/providers.ts';
import { type NliModel, nliModels, readNliModel } from '../gateways/nli/models.ts';
import { Nli, type NliState } from '../gateways/nli/nli.ts';
import type { HealthRegistry } from '../interfaces/healthRegistry.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { RuntimeSettings } from '../interfaces/runtimeSettings.ts';
import type { Metrics } from '../metrics.ts';
import { remembered } from '../projections/memory/remembered.ts';
import { resolveSlot } from '../projections/providers/slots.ts';
import type { WorkGuard } from '../sagas/maintenance/contradictions/ports.ts';
import type { SpeechModels } from './speechModels.ts';

interface ContradictionsOptions {
  readonly config: Config;
  readonly settings: Pick<RuntimeSettings, 'number' | 'value'>;
  /** Instead of the pinned models. */
  readonly nliModel: NliModel | undefined;
  /** Where its files are, and when they go. */
  readonly downloads: Pick<SpeechModels, 'nliFiles' | 'onLetGo'>;
  readonly kvstore: Kvstore;
  readonly models: Models;
  readonly slots: Pick<SlotBook, 'view'>;
  readonly embedder: Embedder;
  readonly guard: WorkGuard;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly onNews: (message: string, facts: Readonly<Record<string, unknown>>) => void;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of how contradictions are found. */
export class Contradictions {
  readonly #options: ContradictionsOptions;
  readonly finder: ContradictionFinder;
  #pipeline: Promise<ContradictionFinder> | undefined;
  #nli: Nli | undefined;

  constructor(options: ContradictionsOptions) {
    this.#options = options;
    this.finder = {
      find: async (search) => {
        this.#pipeline ??= this.#load();
        return (await this.#pipeline).find(search);
      },
    };
  }

  /** With the first sweep: few starts are followed by one. */
  async #load(): Promise<ContradictionFinder> {
    const { settings, kvstore, metrics, clock } = this.#options;
    const [{ ContradictionPipeline }, { ConclusionVectors }, { PairCache }] = await Promise.all([
      import('../sagas/maintenance/contradictions/finder.ts'),
      import('../sagas/maintenance/contradictions/conclusionVectors.ts'),
      import('../sagas/maintenance/contradictions/pairCache.ts'),
    ]);
    return new ContradictionPipeline({
      ...this.#options,
      vectors: new ConclusionVectors({ ...this.#options, context: () => kvstore.connected() }),
      inference: () => this.#inference,
      threshold: () => settings.number('nliContradictionThreshold'),
      cache: new PairCache({
        store: () => kvstore.connected().store,
        clock,
        ttlMs: () => 1_000 * settings.number('pairCacheTtlSeconds'),
        statementsOf: async (userId) => {
          const { conclusions } = await kvstore.connected().views.of(remembered, userId);
          return Object.values(conclusions).map(({ text }) => text ?? '');
        },
        onLookup: (result) => metrics.pairCacheLookups.inc({ result }),
      }),
      judge: () => this.#judge(),
      random: Math.random,
    });
  }

  registerChecks(health: HealthRegistry): void {
    health.register('nli-pipeline', () => this.#check());
  }

  /** The inference model and how it is; undefined where none is to be used. */
  get nliModel(): { readonly id: string; readonly state: NliState } | undefined {
    const nli = this.#inference;
    return nli && { id: nli.modelId, state: nli.state };
  }

  start(): void {
    this.#inference?.goOn();
  }

  async stop(): Promise<void> {
    await this.#nli?.stop();
  }

  /** The model of the first moment in which one is wanted: settings may come from the log. */
  get #inference(): Nli | undefined {
    const { config, settings, nliModel, downloads, clock, onNews } = this.#options;
    if (!config.SERVICE_NLI_ENABLED) return undefined;
    if (this.#nli) return this.#nli;
    const model = nliModel ?? nliModels[settings.value('nliModelSize') === 'small' ? 'small' : 'base'];
    const nli = new Nli({ model, files: downloads.nliFiles(model), clock, onNews });
    downloads.onLetGo(({ type }) => (type === 'nli' ? nli.letGo() : undefined));
    this.#nli = nli;
    return this.#nli;
  }

  #judge(): string | undefined {
    const { slots, config } = this.#options;
    const [first] = resolveSlot(slots.view().slots, 'maintenance', config)?.chain ?? [];
    return first && modelName(first);
  }

  /** A remark on how the inference model is; throws when it cannot be used. */
  async #check(): Promise<string> {
    const nli = this.#inference;
    if (!nli) return `Not in use (SERVICE_NLI_ENABLED): ${WITHOUT}`;
    return remarkOn(nli.modelId, nli.state);
  }
}

const WITHOUT = 'candidates are judged without it';

function remarkOn(model: string, state: NliState): string {
  switch (state.is) {
    case 'off':
      return `Off, since onnxruntime is not installed (hark doctor --fix fetches it): ${WITHOUT}`;
    case 'missing':
      return `${model} is not downloaded yet; that happens when it is first needed; until then ${WITHOUT}`;
    case 'downloading': {
      const { received, total } = state.progress ?? { received: 0, total: 0 };
      const share = total > 0 ? ` (${Math.floor((100 * received) / total)} % of ${megabytes(total)} MB)` : '';
      return `${model} is being downloaded${share}; until then ${WITHOUT}`;
    }
    case 'present':
    case 'proven':
      return model;
    case 'failed':
      throw new HarkError('CHECK_FAILED', {
        message: `${model} cannot be used, ${state.why}: ${WITHOUT}`,
      });
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}

/** What the operator names instead of the pinned models; undefined when nothing is named. */
export async function namedNliModel({ SERVICE_NLI_MANIFEST }: Config): Promise<NliModel | undefined> {
  if (SERVICE_NLI_MANIFEST === undefined) return undefined;
  try {
    return await readNliModel(SERVICE_NLI_MANIFEST);
  } catch {
    throw new ConfigError([
      'SERVICE_NLI_MANIFEST: must be a readable JSON file that describes a model, as in docs/contradictions.md',
    ]);
  }
}
