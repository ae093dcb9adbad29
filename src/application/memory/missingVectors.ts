import { keepVectors } from '../../commands/memory/keepVectors.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { modelName } from '../../events/providers.ts';
import { isEmbedded } from '../../folds/memory/vectors.ts';
import type { IndexDocument } from '../../projections/memory/index/documents.ts';
import type { Remembered } from '../../projections/memory/remembered.ts';
import type { EventReader } from '../../store/port.ts';
import { spokenTypes, wholeEpisodes } from './documents.ts';
import type { Embedder } from './embedder.ts';
import type { BackgroundGuard } from './ports.ts';
import type { StatementVectors } from './statementVectors.ts';

/** So many users' vectors are made at the same time. */
const MOST_AT_ONCE = 2;
const DOCUMENTS_AT_ONCE = 64;
const MOST_REMEMBERED = 10_000;

interface MissingVectorsOptions {
  readonly store: EventReader;
  readonly runner: Pick<CommandRunner, 'run'>;
  readonly memoryOf: (userId: string) => Promise<Remembered>;
  readonly embedder: Embedder;
  readonly statements: Pick<StatementVectors, 'areWhole' | 'make'>;
  readonly guard: BackgroundGuard;
  readonly onFailure: (what: string, error: unknown) => void;
}

/**
 * Makes what the model of the `embedding` slot has not made yet: after the slot got another model, or while that
 * one did not answer. It begins when somebody searches, and goes on beside.
 */
export class MissingVectors {
  readonly #options: MissingVectorsOptions;
  readonly #making = new Map<string, Promise<void>>();
  /** By user, the model that has seen everything: counting ten thousand episodes takes milliseconds. */
  readonly #whole = new Map<string, string>();
  /** By user, who looked last, until there is more. */
  readonly #looks = new Map<string, object>();
  readonly #stopped = new AbortController();

  constructor(options: MissingVectorsOptions) {
    this.#options = options;
  }

  /** Whether all of a user's episodes can be found by what they mean; if not, that is seen to. */
  async areNone(userId: string): Promise<boolean> {
    const { model } = this.#options.embedder;
    if (model === undefined) return false;
    if (this.#whole.get(userId) === model) return true;
    const look = {};
    this.#looks.set(userId, look);
    const areStated = await this.#options.statements.areWhole(userId, model);
    const { episodes, embedded } = await this.#options.memoryOf(userId);
    // Nothing is kept of an episode that is not there, so that as many are the same.
    const isWhole = Object.keys(embedded[model] ?? {}).length === Object.keys(episodes).length;
    if (isWhole && areStated) this.#remember(userId, model, look);
    else this.#begin(userId, model, look);
    return isWhole;
  }

  /** There is an episode or a statement more. */
  lookAgain(userId: string): void {
    this.#whole.delete(userId);
    this.#looks.delete(userId);
  }

  /** Unless there is more since it was looked for. */
  #remember(userId: string, model: string, look: object): void {
    if (this.#looks.get(userId) !== look) return;
    this.#whole.set(userId, model);
    const [oldest] = this.#whole.keys();
    if (this.#whole.size > MOST_REMEMBERED && oldest !== undefined) this.lookAgain(oldest);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#making.values());
  }

  #begin(userId: string, model: string, look: object): void {
    const { embedder, onFailure } = this.#options;
    if (this.#stopped.signal.aborted || embedder.isResting) return;
    if (this.#making.has(userId) || this.#making.size >= MOST_AT_ONCE) return;
    const making = this.#make(userId, model)
      .then((isDone) => {
        // Also of what says nothing to the model: it would be asked of that with each search.
        if (isDone) this.#remember(userId, model, look);
      })
      .catch((error) => {
        if (!this.#stopped.signal.aborted) onFailure('memory vectors', error);
      })
      .finally(() => this.#making.delete(userId));
    this.#making.set(userId, making);
  }

  async #make(userId: string, model: string): Promise<boolean> {
    const { guard } = this.#options;
    const { signal } = this.#stopped;
    if (!(await guard.mayWork(['embedding'])).safe) return false;
    if (!(await this.#makeEpisodes(userId, model))) return false;
    return this.#options.statements.make({ userId, correlationId: 'memory', signal });
  }

  async #makeEpisodes(userId: string, model: string): Promise<boolean> {
    const { store, runner, embedder, guard } = this.#options;
    const { signal } = this.#stopped;
    const { episodes: remembered, embedded } = await this.#options.memoryOf(userId);
    if (Object.keys(remembered).every((id) => isEmbedded(embedded, model, id))) return true;
    const pages = store.readAll({ after: 0, userId, types: spokenTypes });
    for await (const batch of wholeEpisodes(pages, remembered)) {
      for (const episodes of inParts(await this.#missingOf(userId, model, batch))) {
        // What it is to do may be another thing by now, or somebody may need the machine.
        if (signal.aborted || embedder.model !== model || !(await guard.mayWork(['embedding'])).safe)
          return false;
        const made = await embedder.embedEpisodes(episodes, signal);
        await runner.run(keepVectors, made, { userId, correlationId: 'memory' });
        // Another model stood in, and would do so for all the others.
        if (made.some((one) => modelName(one) !== model)) return false;
      }
    }
    return true;
  }

  /** Of these documents, those of episodes that the model has not seen, by episode. */
  async #missingOf(
    userId: string,
    model: string,
    documents: readonly IndexDocument[],
  ): Promise<readonly (readonly IndexDocument[])[]> {
    const { embedded } = await this.#options.memoryOf(userId);
    const missing = documents.filter(({ episodeId }) => !isEmbedded(embedded, model, episodeId));
    return [...Map.groupBy(missing, ({ episodeId }) => episodeId).values()];
  }
}

/** Whole episodes, as many as go into one call, and at least one. */
function* inParts(
  episodes: readonly (readonly IndexDocument[])[],
): Generator<readonly (readonly IndexDocument[])[]> {
  let part: (readonly IndexDocument[])[] = [];
  let size = 0;
  for (const episode of episodes) {
    if (part.length > 0 && size + episode.length > DOCUMENTS_AT_ONCE) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(episode);
    size += episode.length;
  }
  if (part.length > 0) yield part;
}
