import { join } from 'node:path';
import { type FileProgress, type ModelFiles, whyNotFetched } from '../modelFiles/modelFiles.ts';
import { checksumOf, type ModelType, type SpeechModel, sizeOf } from './model.ts';

/** A model as it is told of. */
export interface ModelState
  extends Pick<
    SpeechModel,
    'id' | 'name' | 'description' | 'type' | 'family' | 'format' | 'licence' | 'languages' | 'homepage'
  > {
  readonly sizeBytes: number;
  readonly sha256: string | null;
  /** Whether it is known of all its files what they have to be. */
  readonly isPinned: boolean;
  readonly builtIn: boolean;
  readonly downloaded: boolean;
  readonly downloading: boolean;
  readonly progress: FileProgress | undefined;
  /** Below the data directory; empty where it lies in a package. */
  readonly path: string;
}

/** A model that is there, for who opens it. */
export interface InstalledModel {
  readonly id: string;
  readonly type: ModelType;
  readonly family: string;
  readonly languages: readonly string[];
  readonly folder: string;
  /** Files and folders, as they are opened, by what an engine calls them. */
  readonly files: Readonly<Record<string, string>>;
}

export type DownloadEnd =
  | { readonly ok: true }
  | { readonly ok: false; readonly why: string; readonly isPassing: boolean };

interface LibraryOptions {
  readonly models: readonly SpeechModel[];
  /** The one place in which all models lie. */
  readonly folder: string;
  /** The same one for each who asks, so that nobody downloads beside another. */
  readonly filesOf: (model: SpeechModel) => ModelFiles;
  readonly onNews: (message: string, facts: Readonly<Record<string, unknown>>) => void;
  /** After a model came or went. */
  readonly onChange: () => void;
  /** Before a model goes: resolves when nobody uses it any more. */
  readonly letGo: (model: Pick<SpeechModel, 'id' | 'type'>) => Promise<void>;
}

/** So long those that use a model may take to let it go; then it goes all the same. */
const LETTING_GO_MS = 10_000;

/** Which models there are, which of them are here, and how they come and go. */
export class ModelLibrary {
  readonly #options: LibraryOptions;
  readonly #models: ReadonlyMap<string, SpeechModel>;

  constructor(options: LibraryOptions) {
    this.#options = options;
    this.#models = new Map(options.models.map((model) => [model.id, model]));
    for (const model of options.models)
      if (!model.builtIn)
        void this.#filesOf(model)
          .tidy()
          .catch(() => undefined);
  }

  list(): readonly ModelState[] {
    return Array.from(this.#models.values(), (model) => this.#stateOf(model));
  }

  find(id: string): ModelState | undefined {
    const model = this.#models.get(id);
    return model && this.#stateOf(model);
  }

  installed(): readonly InstalledModel[] {
    return this.#options.models.flatMap((model) => {
      if (model.builtIn || !this.#isHere(model)) return [];
      const { id, type, family, languages } = model;
      const folder = join(this.#options.folder, model.folder);
      const files = Object.entries(model.parts).map(([part, path]) => [part, join(folder, path)]);
      return [{ id, type, family, languages, folder, files: Object.fromEntries(files) }];
    });
  }

  /** Goes on when nobody listens any more. What came is kept, so that the next attempt brings only what is missing. */
  async download(id: string, onProgress: (progress: FileProgress) => void): Promise<DownloadEnd> {
    const model = this.#modelOf(id);
    if (model.builtIn || this.#isHere(model)) return { ok: true };
    const { onNews } = this.#options;
    const files = this.#filesOf(model);
    const isFirst = !files.isComing;
    if (isFirst) onNews('downloading a model', { model: id });
    const onWrong = (file: string) => {
      if (isFirst) onNews('a file of a model has a wrong checksum', { model: id, file });
    };
    try {
      await files.fetch({ onProgress, onWrong });
    } catch (error) {
      const end = whyNotFetched(error);
      if (isFirst) onNews('a model could not be downloaded', { model: id, why: end.why });
      return { ok: false, ...end };
    }
    if (isFirst) {
      onNews('a model is here', { model: id });
      this.#options.onChange();
    }
    return { ok: true };
  }

  /** With what came of it so far: a download of it that is under way ends. */
  async remove(id: string): Promise<void> {
    const model = this.#modelOf(id);
    if (model.builtIn) return;
    const isHere = this.#isHere(model);
    if (isHere) await this.#letGo(model);
    await this.#filesOf(model).clear();
    if (isHere) this.#options.onChange();
  }

  /** All that can be had again, with what came of others so far; says which were here. */
  async clear(): Promise<readonly string[]> {
    const removable = this.#options.models.filter(({ builtIn }) => !builtIn);
    const here = removable.filter((model) => this.#isHere(model));
    await Promise.all(removable.map(({ id }) => this.remove(id)));
    return here.map(({ id }) => id);
  }

  async stop(): Promise<void> {
    const all = this.#options.models.filter(({ builtIn }) => !builtIn);
    await Promise.all(all.map((model) => this.#filesOf(model).cancel()));
  }

  #modelOf(id: string): SpeechModel {
    const model = this.#models.get(id);
    if (!model) throw new RangeError('No such model');
    return model;
  }

  #isHere(model: SpeechModel): boolean {
    const files = this.#filesOf(model);
    return !files.isComing && files.areThere();
  }

  #stateOf(model: SpeechModel): ModelState {
    const { id, name, description, type, family, format, licence, languages, homepage, builtIn } = model;
    const files = builtIn ? undefined : this.#filesOf(model);
    return {
      ...{ id, name, description, type, family, format, licence, languages, homepage },
      sizeBytes: sizeOf(model),
      sha256: checksumOf(model),
      isPinned: model.files.every((file) => file.sha256 !== undefined),
      builtIn: builtIn !== undefined,
      downloaded: !files || this.#isHere(model),
      downloading: files?.isComing ?? false,
      progress: files?.progress,
      path: builtIn ? '' : `models/${model.folder}`,
    };
  }

  #filesOf(model: SpeechModel): ModelFiles {
    return this.#options.filesOf(model);
  }

  async #letGo(model: SpeechModel): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LETTING_GO_MS);
    await Promise.race([this.#options.letGo(model), late]);
    clearTimeout(timer);
  }
}
