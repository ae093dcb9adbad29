import type { Models } from '../../application/models.ts';
import { KnownNames } from '../../commands/entities/knownNames.ts';
import type { FoundEntity } from '../../commands/entities/recordEntities.ts';
import { HarkError } from '../../errors.ts';
import type { UserEntities } from '../../folds/entities/entities.ts';
import { type WholeEntity, wholeEntities } from '../../folds/entities/whole.ts';
import { isModelAway } from '../retryPolicy.ts';
import type { AskingForEntities } from './ports.ts';

/** From this cosine on, two names are of the same. */
const SAME_FROM = 0.85;
/** Of so many known entities of its type, those seen last, a new name is compared with. */
const MOST_COMPARED = 200;
const LONGEST_CALL_MS = 20_000;

interface LikenessParts {
  readonly models: Pick<Models, 'embed'>;
  /** Whether an embedding model was set, and may be asked now. */
  readonly mayAsk: () => Promise<boolean>;
  readonly onFailure: (what: string, error: unknown) => void;
}

export type FindLikeness = (
  known: UserEntities,
  found: readonly FoundEntity[],
  asking: Pick<AskingForEntities, 'correlationId' | 'signal' | 'needsModel'>,
) => Promise<readonly FoundEntity[]>;

/** Tells of names that nobody knows as which known ones they are meant, by an embedding model where one is set. */
export function likenessBy({ models, mayAsk, onFailure }: LikenessParts): FindLikeness {
  return async (known, found, { correlationId, signal: stopped, needsModel = false }) => {
    // Who is known is looked up only where it is used: there may be thousands.
    if (found.length === 0 || !(await mayAsk())) return found;
    const names = new KnownNames(known);
    const unknown = found.filter((entity) => names.byName(entity) === undefined);
    const types = new Set(unknown.map(({ type }) => type));
    const compared = [...types].flatMap((type) => lastSeen(known, type));
    if (compared.length === 0) return found;
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(LONGEST_CALL_MS)]);
    try {
      const texts = [...unknown, ...compared].map(({ name }) => name);
      const { vectors } = await models.embed({ slot: 'embedding', correlationId, signal }, { texts });
      const likes = new Map(
        unknown.map((entity, index) => {
          const others = vectors.slice(unknown.length);
          return [entity, nearest(entity, vectors[index], compared, others)];
        }),
      );
      return found.map((entity) => {
        const like = likes.get(entity);
        return like === undefined ? entity : { ...entity, like };
      });
    } catch (error) {
      stopped.throwIfAborted();
      onFailure('entities embedding', error);
      if (needsModel && signal.aborted) throw new HarkError('MODEL_TIMEOUT', { cause: error });
      if (needsModel && isModelAway(error)) throw error;
      return found;
    }
  };
}

function lastSeen(known: UserEntities, wanted: string): readonly WholeEntity[] {
  return wholeEntities(known)
    .filter(({ type }) => type === wanted)
    .sort((one, other) => other.lastSeenAt - one.lastSeenAt)
    .slice(0, MOST_COMPARED);
}

function nearest(
  { type }: FoundEntity,
  vector: Float32Array | undefined,
  compared: readonly WholeEntity[],
  vectors: readonly Float32Array[],
): string | undefined {
  let best: { readonly id: string; readonly cosine: number } | undefined;
  for (const [index, entity] of compared.entries()) {
    if (entity.type !== type) continue;
    const cosine = cosineOf(vector, vectors[index]);
    if (cosine >= SAME_FROM && cosine > (best?.cosine ?? 0)) best = { id: entity.id, cosine };
  }
  return best?.id;
}

function cosineOf(one: Float32Array | undefined, other: Float32Array | undefined): number {
  if (!one || !other || one.length !== other.length) return 0;
  let [product, a, b] = [0, 0, 0];
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? 0;
    product += value * against;
    a += value * value;
    b += against * against;
  }
  return a > 0 && b > 0 ? product / Math.sqrt(a * b) : 0;
}
