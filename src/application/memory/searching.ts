import { isHarkError } from '../../errors.ts';
import { ofConclusion } from '../../events/conclusions.ts';
import { isEvent } from '../../events/definition.ts';
import { entitiesErased, entityMentioned, RELATIONSHIPS } from '../../events/entities.ts';
import { readMemoryEvent } from '../../events/memory.ts';
import type { SearchRequest } from '../../projections/memory/index/documents.ts';
import { type Found, foundByWords } from '../../projections/memory/index/foundBothWays.ts';
import type { MemoryIndex } from '../../projections/memory/index/memoryIndex.ts';
import type {
  NearSource,
  VectorHit,
  VectorIndex,
  VectorQuery,
} from '../../projections/memory/index/vectors/vectorIndex.ts';
import type { Deliveries, EventReader } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { NewEpisodes } from './documents.ts';
import type { MissingVectors } from './missingVectors.ts';
import type { QueryExpansion, QueryVector, QueryVectors } from './queryVectors.ts';
import type { Belief, Statements } from './statements.ts';
import { stating } from './statementVectors.ts';
import { vectorsIn } from './vectorEvents.ts';

export const searchModes = ['keyword', 'semantic', 'hybrid'] as const;
export type SearchMode = (typeof searchModes)[number];

/** After these there may be a statement without a vector, or another one. */
const changing: ReadonlySet<string> = new Set(
  [...stating, entityMentioned, entitiesErased].map(({ type }) => type),
);

const NEAREST = 100;
/** Some of them may not be believed any more. */
const NEAREST_STATEMENTS = 40;

export interface Sought extends SearchRequest {
  /** How many statements that are near in meaning; none unless said. */
  readonly statements?: number;
  /** Somebody will ask the same soon: what the query means is kept for them. */
  readonly isAhead?: boolean | undefined;
}

export interface NearStatement {
  readonly statement: Belief;
  /** From 0 at the threshold to 1 at the same meaning. */
  readonly nearness: number;
}

export interface AllFound extends Found {
  /** The nearest first. By their words whoever knows them all may find them. */
  readonly statements: readonly NearStatement[];
}

interface SearchingParts {
  readonly store: EventReader & Deliveries;
  readonly index: Pick<MemoryIndex, 'search' | 'begin' | 'add' | 'remove' | 'drop'>;
  readonly vectors: Pick<VectorIndex, 'near' | 'search' | 'prepare' | 'add' | 'remove' | 'drop'>;
  readonly queryVectors: Pick<QueryVectors, 'of' | 'prepare'>;
  readonly expansion: Pick<QueryExpansion, 'expand'>;
  readonly statementsOf: (userId: string) => Promise<Statements>;
  readonly missing: Pick<MissingVectors, 'areNone' | 'lookAgain'>;
  readonly settings: () => { readonly mode: SearchMode; readonly threshold: number };
  readonly onFailure: (what: string, error: unknown) => void;
}

/**
 * Searches what is remembered, and keeps the indexes that are loaded as the log goes on: in its order, or what was
 * erased could come back. Who searches finds what was remembered before.
 */
export class Searching {
  readonly #parts: SearchingParts;
  /** By user, the last change to the index that is under way. None of them rejects. */
  readonly #changes = new Map<string, Promise<void>>();
  readonly #episodes: NewEpisodes;
  readonly stop: () => void;

  constructor(parts: SearchingParts) {
    this.#parts = parts;
    this.#episodes = new NewEpisodes(parts.store);
    this.stop = parts.store.onAppended((events) => {
      for (const event of events) this.#follow(event);
    });
  }

  /** Resolves when the indexes have taken in what has been delivered of the user. */
  async settled(userId: string): Promise<void> {
    await this.#changes.get(userId);
  }

  async search(userId: string, { statements = 0, isAhead = false, ...asked }: Sought): Promise<AllFound> {
    const { index, expansion, missing, queryVectors, settings } = this.#parts;
    const { mode, threshold } = settings();
    const [query] = await Promise.all([expansion.expand(asked.query), this.#changes.get(userId)]);
    const request = { ...asked, query };
    if (mode === 'keyword') return { ...foundByWords(await index.search(userId, request)), statements: [] };
    // What is not there yet is loaded while the other is; a failure shows when it is asked.
    this.#parts.vectors.prepare(userId).catch(() => undefined);
    const [begun, meaning, isWhole] = await Promise.all([
      index.begin(userId, request),
      isAhead ? queryVectors.prepare(query) : queryVectors.of(query),
      missing.areNone(userId),
    ]);
    const limit = Math.max(NEAREST, request.passages ?? 0);
    if (!meaning) return { ...(await begun.finish()), statements: [] };
    const wanted = { ...meaning, threshold };
    const [source, near] = await Promise.all([
      this.#near(userId, { ...wanted, of: 'passages', limit }),
      statements === 0 ? [] : this.#nearStatements(userId, wanted),
    ]);
    const stated = near.flatMap(({ statement, similarity }) =>
      statement.sources.map((episodeId) => ({ id: episodeId, similarity })),
    );
    // What has no vector yet can only be found by its words.
    const isEnough = mode === 'semantic' && isWhole;
    const found = await begun.finish(source && { source, stated, threshold, isEnough });
    const nearest = near.slice(0, statements).map(({ statement, similarity }) => {
      return { statement, nearness: threshold < 1 ? (similarity - threshold) / (1 - threshold) : 1 };
    });
    return { ...found, statements: nearest };
  }

  /** What is believed that comes nearest in meaning to a text; nothing where there is no model, or it does not answer. */
  async nearStatements(userId: string, text: string, most: number): Promise<readonly Belief[]> {
    const { queryVectors, settings } = this.#parts;
    const { mode, threshold } = settings();
    const meaning = mode === 'keyword' ? undefined : await queryVectors.of(text);
    if (!meaning) return [];
    const near = await this.#nearStatements(userId, { ...meaning, threshold });
    return near.slice(0, most).map(({ statement }) => statement);
  }

  async #nearStatements(
    userId: string,
    wanted: QueryVector & { readonly threshold: number },
  ): Promise<readonly { readonly statement: Belief; readonly similarity: number }[]> {
    // What is not there need not be asked for in another thread.
    if (!(await this.#parts.statementsOf(userId)).haveVectors(wanted.model)) return [];
    const query = { ...wanted, of: 'statements', limit: NEAREST_STATEMENTS } as const;
    const hits = await this.#unlessItFails(this.#parts.vectors.search(userId, query));
    if (!hits || hits.length === 0) return [];
    const statements = await this.#parts.statementsOf(userId);
    return hits.flatMap(({ id, similarity }: VectorHit) => {
      const statement = statements.byVectorId(id, wanted.model);
      return statement ? [{ statement, similarity }] : [];
    });
  }

  /** Undefined when the vectors cannot be searched: words are enough. */
  #near(userId: string, query: VectorQuery): Promise<NearSource | undefined> {
    return this.#unlessItFails(this.#parts.vectors.near(userId, query));
  }

  async #unlessItFails<Result>(searching: Promise<Result>): Promise<Result | undefined> {
    try {
      return await searching;
    } catch (error) {
      if (isHarkError(error)) throw error;
      this.#parts.onFailure('vector search', error);
      return undefined;
    }
  }

  #follow(stored: StoredEvent): void {
    const userId = stored.owner;
    const change = this.#changeFor(userId, stored);
    if (!change) return;
    const { index, vectors, onFailure } = this.#parts;
    const changed = (this.#changes.get(userId) ?? Promise.resolve()).then(change).catch((error) => {
      onFailure('memory index', error);
      // Built anew from the log when it is asked again, it is right.
      index.drop(userId);
      return vectors.drop(userId);
    });
    this.#changes.set(userId, changed);
    void changed.then(() => {
      if (this.#changes.get(userId) === changed) this.#changes.delete(userId);
    });
  }

  #changeFor(userId: string, stored: StoredEvent): (() => Promise<void>) | undefined {
    const { index, vectors, missing } = this.#parts;
    const made = vectorsIn(stored);
    if (made) return () => vectors.add(userId, made);
    if (changing.has(stored.type)) missing.lookAgain(userId);
    if (isEvent(stored, entitiesErased))
      return stored.data.subjects.includes(RELATIONSHIPS)
        ? () => vectors.remove(userId, [RELATIONSHIPS])
        : undefined;
    const event = readMemoryEvent(stored);
    switch (event?.type) {
      case 'memory.conversation.imported':
      case 'memory.episode.created': {
        const read = this.#episodes.take(stored);
        if (!read) return undefined;
        missing.lookAgain(userId);
        return async () => index.add(userId, await read());
      }
      case 'memory.episodes.erased':
      case 'memory.episodes.expired': {
        const gone = event.data.episodes.map(({ episodeId }) => episodeId);
        return async () => {
          await Promise.all([index.remove(userId, gone), vectors.remove(userId, gone)]);
        };
      }
      case 'memory.conclusions.erased': {
        const gone = event.data.conclusionIds.map((conclusionId) => ofConclusion({ conclusionId }));
        return () => vectors.remove(userId, gone);
      }
      case 'memory.transcript.erased':
        // Without the words it is made anew when it is next searched.
        return async () => index.drop(userId);
      case 'memory.erased':
        return async () => {
          index.drop(userId);
          await vectors.drop(userId);
        };
      default:
        return undefined;
    }
  }
}
