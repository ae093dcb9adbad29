import { forgetWhatWasErased } from '../application/entities/forgetting.ts';
import { wordsOfEpisode } from '../application/memory/importedWords.ts';
import type { BackgroundGuard } from '../application/memory/ports.ts';
import type { Models } from '../application/models.ts';
import type { SlotBook } from '../application/providers/slotBook.ts';
import type { Kvstore } from '../interfaces/kvstore.ts';
import type { AnyOperation, Caller } from '../interfaces/operation.ts';
import { entityOperations } from '../interfaces/operations/entities.ts';
import { entityChangeOperations } from '../interfaces/operations/entityChanges.ts';
import type { Language } from '../language/language.ts';
import type { Saga } from '../sagas/saga.ts';

interface EntitiesOptions {
  readonly kvstore: Kvstore;
  readonly models: Models;
  readonly slots: Pick<SlotBook, 'view'>;
  readonly language: Pick<Language, 'readConversation'>;
  readonly guard: BackgroundGuard;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of everything about who and what is known by name. */
export class Entities {
  readonly #options: EntitiesOptions;

  constructor(options: EntitiesOptions) {
    this.#options = options;
  }

  async saga(): Promise<Saga> {
    const [{ followEpisodes }, { likenessBy }, { readOffline }, { readWithModel }] = await Promise.all([
      import('../sagas/entities/followEpisodes.ts'),
      import('../sagas/entities/likeness.ts'),
      import('../sagas/entities/readOffline.ts'),
      import('../sagas/entities/readWithModel.ts'),
    ]);
    const { kvstore, models, slots, language, guard, onFailure } = this.#options;
    // Nobody waits until the machine is free: without a model it is read too, if not as well.
    const mayAsk = async (slot: 'extraction' | 'embedding') =>
      slots.view().slots[slot] !== undefined && (await guard.mayWork([slot])).safe;
    const offline = readOffline(language);
    return followEpisodes({
      context: () => kvstore.connected(),
      wordsOf: (created) => wordsOfEpisode(kvstore.connected().store, created),
      offline,
      read: readWithModel({ offline, models, mayAsk: () => mayAsk('extraction'), onFailure }),
      liken: likenessBy({ models, mayAsk: () => mayAsk('embedding'), onFailure }),
    });
  }

  operations(): readonly AnyOperation[] {
    const { kvstore } = this.#options;
    return [...entityOperations(kvstore), ...entityChangeOperations(kvstore)];
  }

  /** To be called after an erasure from memory, with the version of its stream. */
  forget({ userId, correlationId }: Caller, version: number): Promise<void> {
    return forgetWhatWasErased(this.#options.kvstore.connected(), { userId, correlationId, version });
  }
}
