import { join } from 'node:path';
import { Semaphore } from '../application/semaphore.ts';
import type { Benchmark } from '../application/voice/benchmark.ts';
import { recordBenchmark, recordModels } from '../commands/models/models.ts';
import type { CommandRunner } from '../commands/runner.ts';
import { type Config, ConfigError } from '../config.ts';
import { ModelFiles } from '../gateways/modelFiles/modelFiles.ts';
import { type NliModel, nliFilesIn, nliFolder } from '../gateways/nli/models.ts';
import type { InstalledModel, ModelLibrary } from '../gateways/speechModels/library.ts';
import type { SpeechModel } from '../gateways/speechModels/model.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation } from '../interfaces/operation.ts';
import { modelOperations } from '../interfaces/operations/models.ts';
import { modelsKnown } from '../projections/models/models.ts';

interface SpeechModelsOptions {
  readonly config: Config;
  /** Beside those that hark knows. */
  readonly namedModels: readonly SpeechModel[];
  readonly nliModel: NliModel | undefined;
  readonly onNews: (message: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Undefined for what nothing here measures. */
  readonly measure: (
    model: Pick<InstalledModel, 'id' | 'type' | 'languages'>,
  ) => Promise<Benchmark | undefined>;
  readonly kvstore: Pick<Kvstore, 'current' | 'reachable'>;
  /** What could not be recorded. */
  readonly onFailure: (what: string, error: unknown) => void;
}

/** Models that come at a time; others wait for them. */
const MOST_DOWNLOADS = 2;
const OF_SERVICE = { userId: '', correlationId: 'models' };

/** The wiring of models that can be downloaded: which there are, and which are here. Loads when it is first asked. */
export class SpeechModels {
  readonly #options: SpeechModelsOptions;
  /** By their folder: one for each who wants them, so that they come once. */
  readonly #files = new Map<string, ModelFiles>();
  readonly #downloads = new Semaphore(MOST_DOWNLOADS);
  readonly #enter = (begin: () => void) => this.#downloads.enter(begin);
  readonly #onCame = () => void this.#recordModels({ isDownloaded: true });
  readonly #changed: (() => void)[] = [];
  readonly #lettingGo: ((model: Pick<SpeechModel, 'id' | 'type'>) => void | Promise<void>)[] = [];
  #loading: Promise<ModelLibrary> | undefined;

  constructor(options: SpeechModelsOptions) {
    this.#options = options;
  }

  /** Those that are here and can be opened. What comes with hark is not among them. */
  async installed(): Promise<readonly InstalledModel[]> {
    return (await this.#library()).installed();
  }

  /** Told after a model came or went. */
  onChange(listener: () => void): void {
    this.#changed.push(listener);
  }

  /** Asked before a model is deleted, which waits until whoever uses it has let it go. */
  onLetGo(listener: (model: Pick<SpeechModel, 'id' | 'type'>) => void | Promise<void>): void {
    this.#lettingGo.push(listener);
  }

  nliFiles(model: NliModel): ModelFiles {
    const { SERVICE_MODEL_MIRROR: mirror } = this.#options.config;
    return this.#shared(nliFolder(model), (folder) =>
      nliFilesIn(folder, model, { mirror, enter: this.#enter, onCame: this.#onCame }),
    );
  }

  operations(): readonly AnyOperation[] {
    const { measure, kvstore } = this.#options;
    return modelOperations({
      library: () => this.#library(),
      measure: async (model) => {
        const measured = await measure(model);
        if (measured)
          await this.#record((runner) =>
            runner.run(recordBenchmark, { modelId: model.id, ...measured }, OF_SERVICE),
          );
        return measured;
      },
      known: async () => {
        const { current } = kvstore;
        // The list is there without what the log knows beside it.
        return current && (await modelsKnown(current.store).catch(() => undefined));
      },
      knownAt: (time) => modelsKnown(kvstore.reachable().store, time),
    });
  }

  async stop(): Promise<void> {
    const library = await this.#loading?.catch(() => undefined);
    await library?.stop();
  }

  #library(): Promise<ModelLibrary> {
    this.#loading ??= this.#load().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /** Which models are here now; those that came otherwise are found to be when the models are first asked for. */
  async #recordModels({ isDownloaded }: { readonly isDownloaded: boolean }): Promise<void> {
    await this.#record(async (runner) => {
      const all = (await this.#library()).list();
      const models = all
        .filter(({ builtIn }) => !builtIn)
        .map(({ id, downloaded }) => ({ id, isHere: downloaded }));
      await runner.run(recordModels, { models, isDownloaded }, OF_SERVICE);
    });
  }

  async #record(work: (runner: CommandRunner) => Promise<unknown>): Promise<void> {
    const { kvstore, onFailure } = this.#options;
    const { current } = kvstore;
    if (current) await work(current.runner).catch((error) => onFailure('models.record', error));
  }

  async #load(): Promise<ModelLibrary> {
    const { namedModels, nliModel, onNews } = this.#options;
    const [{ ModelLibrary }, { registryOf }] = await Promise.all([
      import('../gateways/speechModels/library.ts'),
      import('../gateways/speechModels/registry.ts'),
    ]);
    const models = registryOf(namedModels, nliModel);
    setImmediate(() => void this.#recordModels({ isDownloaded: false }));
    return new ModelLibrary({
      models,
      folder: this.#folder,
      filesOf: (model) => this.#filesOf(model),
      onNews,
      onChange: () => {
        for (const tell of this.#changed) tell();
        void this.#recordModels({ isDownloaded: false });
      },
      letGo: async (model) => {
        await Promise.allSettled(this.#lettingGo.map(async (letGo) => letGo(model)));
      },
    });
  }

  #filesOf({ folder, files, host }: SpeechModel): ModelFiles {
    const { SERVICE_MODEL_MIRROR: mirror } = this.#options.config;
    return this.#shared(
      folder,
      (folder) => new ModelFiles({ files, folder, host, mirror, enter: this.#enter, onCame: this.#onCame }),
    );
  }

  #shared(folder: string, make: (folder: string) => ModelFiles): ModelFiles {
    const existing = this.#files.get(folder);
    if (existing) return existing;
    const made = make(join(this.#folder, folder));
    this.#files.set(folder, made);
    return made;
  }

  get #folder(): string {
    return join(this.#options.config.SERVICE_DATA_DIR, 'models');
  }
}

/** What whoever runs the service describes: nothing of it loads where nothing is named. */
export async function namedModels({
  SERVICE_MODELS_MANIFEST: file,
}: Config): Promise<readonly SpeechModel[]> {
  if (file === undefined) return [];
  const { readModels } = await import('../gateways/speechModels/registry.ts');
  try {
    return await readModels(file);
  } catch {
    throw new ConfigError([
      'SERVICE_MODELS_MANIFEST: must be a readable JSON file that describes models, as in docs/voice.md',
    ]);
  }
}
