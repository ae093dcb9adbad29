import { availableParallelism } from 'node:os';
import { isOnnxruntimeHere } from '../../onnxruntime.ts';
import { type FileProgress, type ModelFiles, whyNotFetched } from '../modelFiles/modelFiles.ts';
import { InferenceThread } from './inferenceThread.ts';
import type { NliThreadData, PairVerdict, Refusal, SentencePair } from './messages.ts';
import { type ModelPart, type NliModel, nliFileNames } from './models.ts';

/** What failed is not tried again before: sweeps come once a day, but may be asked for at any time. */
const PAUSE_MS = 6 * 60 * 60_000;
/** Of two processors, one is left to those who wait for an answer. */
const MOST_THREADS = 2;

interface NliOptions {
  readonly model: NliModel;
  /** Whoever downloads models downloads these too. */
  readonly files: ModelFiles;
  readonly clock: () => number;
  /** What whoever runs the service should hear of: of models and files only. */
  readonly onNews: (message: string, facts: Readonly<Record<string, unknown>>) => void;
  readonly idleMs?: number;
  readonly longestCallMs?: number;
}

export type NliState =
  /** There is nothing on this machine to run it with. */
  | { readonly is: 'off' }
  /** Not all files are there; they come when the model is first wanted. */
  | { readonly is: 'missing' }
  | { readonly is: 'downloading'; readonly progress: FileProgress | undefined }
  | { readonly is: 'present' }
  /** Opened since the start, and all was as it has to be. */
  | { readonly is: 'proven' }
  | { readonly is: 'failed'; readonly why: string; readonly at: number };

/**
 * A local model that tells whether two sentences contradict each other. Its files come in the background when it is
 * first wanted; whoever wants it goes on without it until then.
 */
export class Nli {
  readonly #options: NliOptions;
  readonly #files: ModelFiles;
  readonly #thread: InferenceThread;
  readonly #stopped = new AbortController();
  #state: NliState;
  #coming: Promise<void> | undefined;

  constructor(options: NliOptions) {
    this.#options = options;
    const { idleMs, longestCallMs } = options;
    this.#files = options.files;
    this.#thread = new InferenceThread({
      data: threadData(options.model, this.#files),
      onLoaded: () => {
        this.#state = { is: 'proven' };
      },
      onRefused: (refusal) => this.#refuse(refusal),
      onLost: () => this.#fail('its thread ended'),
      idleMs,
      longestCallMs,
    });
    this.#state = this.#files.areThere() ? { is: 'present' } : { is: 'missing' };
  }

  get modelId(): string {
    return this.#options.model.id;
  }

  get state(): NliState {
    return isOnnxruntimeHere() ? this.#state : { is: 'off' };
  }

  /** Whether it can be asked now. If not, what is missing is seen to, so that it can be later. */
  isReady(): boolean {
    if (this.#stopped.signal.aborted || this.#coming || this.#isResting() || !isOnnxruntimeHere())
      return false;
    if (!this.#files.areThere()) {
      this.#fetch();
      return false;
    }
    if (this.#state.is !== 'proven') this.#state = { is: 'present' };
    return true;
  }

  /** Goes on with a download that an earlier process began. */
  goOn(): void {
    if (this.#files.hasBegun()) this.isReady();
  }

  /** When what is being fetched is there, or will not come. */
  async settled(): Promise<void> {
    await this.#coming;
  }

  /** Rejects when the model cannot be used; `state` then says why. */
  judge(pairs: readonly SentencePair[], signal: AbortSignal): Promise<readonly PairVerdict[]> {
    const { signal: stopped } = this.#stopped;
    return stopped.aborted ? Promise.reject(stopped.reason) : this.#thread.judge(pairs, signal);
  }

  /** Its files are to go: it is opened anew when it is next asked. */
  letGo(): Promise<void> {
    return this.#thread.stop(new Error('The model is let go'));
  }

  async stop(): Promise<void> {
    const why = new Error('The model is asked no more');
    this.#stopped.abort(why);
    await Promise.all([this.#thread.stop(why), this.#coming]);
  }

  #isResting(): boolean {
    return this.#state.is === 'failed' && this.#options.clock() - this.#state.at < PAUSE_MS;
  }

  #fetch(): void {
    const { onNews } = this.#options;
    this.#state = { is: 'downloading', progress: undefined };
    onNews('fetching the inference model', { model: this.modelId });
    const onProgress = (progress: FileProgress) => {
      this.#state = { is: 'downloading', progress };
    };
    const { signal } = this.#stopped;
    this.#coming = this.#files
      .fetch({ signal, onProgress, onWrong: (file) => this.#sayWrong(file) })
      .then(() => {
        this.#state = { is: 'present' };
        onNews('the inference model is ready', { model: this.modelId });
      })
      .catch((error) => {
        if (!this.#stopped.signal.aborted) this.#fail(whyNotFetched(error).why);
      })
      .finally(() => {
        this.#coming = undefined;
      });
  }

  #fail(why: string): void {
    this.#state = { is: 'failed', why, at: this.#options.clock() };
    this.#options.onNews('the inference model cannot be used', { model: this.modelId, why });
  }

  /** A file that is not what was pinned goes, and is asked for again at once. */
  #refuse(refusal: Refusal): void {
    if (refusal.because !== 'checksum') {
      this.#fail(refusalWords[refusal.because]);
      return;
    }
    const { part } = refusal;
    this.#sayWrong(nliFileNames[part]);
    this.#state = { is: 'downloading', progress: undefined };
    this.#coming = this.#files.remove(nliFileNames[part]).finally(() => {
      this.#coming = undefined;
      if (!this.#stopped.signal.aborted) this.#fetch();
    });
  }

  #sayWrong(file: string): void {
    this.#options.onNews('a file of the inference model has a wrong checksum', { model: this.modelId, file });
  }
}

function threadData({ model, tokenizer, config }: NliModel, files: ModelFiles): NliThreadData {
  const pathOf = (part: ModelPart) => files.pathOf(nliFileNames[part]);
  return {
    model: { file: pathOf('model'), digest: model.sha256 },
    tokenizer: { file: pathOf('tokenizer'), digest: tokenizer.sha256 },
    config: 'labels' in config ? config : { file: pathOf('config'), digest: config.sha256 },
    threads: Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1)),
  };
}

const refusalWords = {
  unreadable: 'a file of it cannot be read',
  labels: 'its configuration has unexpected labels',
  inputs: 'it has unexpected inputs',
  outputs: 'it has unexpected outputs',
  runtime: 'onnxruntime does not load on this machine',
} as const;
