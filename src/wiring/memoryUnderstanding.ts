import type { Understand } from '../application/memory/ports.ts';
import type { Searching } from '../application/memory/searching.ts';
import type { Models } from '../application/models.ts';
import type { SlotBook } from '../application/providers/slotBook.ts';
import type { Config } from '../config.ts';
import { Language } from '../language/language.ts';
import { onFirstUse } from '../onFirstUse.ts';
import { resolveSlot } from '../projections/providers/slots.ts';
import type { UnderstandingSlots } from '../sagas/memory/understanding.ts';
import type { SlotName } from '../vocabulary.ts';
import type { MemorySearch } from './memorySearch.ts';

interface MemoryUnderstandingOptions {
  readonly config: Config;
  readonly models: Models;
  readonly slots: Pick<SlotBook, 'view'>;
  readonly search: MemorySearch;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The wiring of how words are made sense of, wherever they come from. */
export class MemoryUnderstanding {
  readonly language = new Language();
  readonly #options: MemoryUnderstandingOptions;
  readonly #ways: () => Promise<Readonly<Record<'offline' | 'withModels', Understand>>>;

  constructor(options: MemoryUnderstandingOptions) {
    this.#options = options;
    this.#ways = onFirstUse(() => this.#load());
  }

  /** By rules alone. */
  readonly offline: Understand = async (...asked) => (await this.#ways()).offline(...asked);

  /** With the models of the slots that are set for it. */
  readonly withModels: Understand = async (...asked) => (await this.#ways()).withModels(...asked);

  /** The model that talks stands in for none of them. */
  slots(): UnderstandingSlots {
    const { slots } = this.#options.slots.view();
    const ifSet = (slot: SlotName) => (slots[slot] === undefined ? undefined : slot);
    const from = resolveSlot(slots, 'consolidation', this.#options.config)?.from;
    const isNamed = from === 'consolidation' || from === 'legacy';
    return {
      summary: ifSet('summarization'),
      conclusions: isNamed ? 'consolidation' : ifSet('extraction'),
    };
  }

  stop(): Promise<void> {
    return this.language.stop();
  }

  async #load() {
    const { models, search, onFailure } = this.#options;
    const { understandOffline, understandWith } = await import('../sagas/memory/understanding.ts');
    const { nearestBeliefs } = await import('../application/memory/nearestBeliefs.ts');
    const offline = understandOffline(this.language);
    const beliefs = {
      statementsOf: (user: string) => search.statementsOf(user),
      nearStatements: (...asked: Parameters<Searching['nearStatements']>) =>
        search.searching.nearStatements(...asked),
    };
    const withModels = understandWith({
      ...{ offline, models, onFailure },
      slots: () => this.slots(),
      nearest: (userId, words) => nearestBeliefs(beliefs, userId, words),
    });
    return { offline, withModels };
  }
}
