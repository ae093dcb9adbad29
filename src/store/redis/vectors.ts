import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { NearVector, Position, StoredVector, Vectors } from '../port.ts';
import * as keys from './keys.ts';
import type { RedisLink } from './link.ts';

/** A function call holds Redis up for all others. */
const VECTORS_AT_ONCE = 64;
const BYTES_A_NUMBER = 4;

/**
 * Vectors in Redis, searched by its search module (Redis 8, Redis Stack, valkey-search). Each user has an index of
 * their own for each model and length, which only takes in keys that begin with their name: no search can reach into
 * another's.
 */
export class RedisVectors implements Vectors {
  readonly #link: Pick<RedisLink, 'read' | 'write'>;
  readonly #logId: () => string;
  /** Those that are known to be there. */
  readonly #indexes = new Set<string>();
  #absence: string | undefined = 'Redis has not been asked yet whether it has a search module';

  constructor(link: Pick<RedisLink, 'read' | 'write'>, logId: () => string) {
    this.#link = link;
    this.#logId = logId;
  }

  get absence(): string | undefined {
    return this.#absence;
  }

  /** Looks whether this Redis can search: it may be another one than before, or have another module by now. */
  async look(redis: Redis): Promise<void> {
    this.#indexes.clear();
    this.#absence = await absenceIn(redis);
  }

  async takenIn(userId: string): Promise<Position> {
    const noted = await this.#link.read((redis) => redis.hget(keys.VECTORS_TAKEN_IN, userId));
    const [logId, position] = noted?.split(' ') ?? [];
    // Left over from a log that stood here before, it says nothing of this one.
    return logId === this.#logId() ? Number(position) : 0;
  }

  async noteTakenIn(userId: string, position: Position): Promise<void> {
    await this.#link.write((redis) =>
      redis.hset(keys.VECTORS_TAKEN_IN, userId, `${this.#logId()} ${position}`),
    );
  }

  async keep(
    { userId, subject, model }: Parameters<Vectors['keep']>[0],
    vectors: readonly StoredVector[],
  ): Promise<void> {
    const dimensions = vectors[0]?.vector.length ?? 0;
    // What is there before its index does is only taken in by and by.
    await this.#makeIndex(indexOf(userId, model, dimensions));
    const named = ['hark_keep_vectors', '2', keys.subjectKeysKey(userId), keys.vectorsKey(userId)];
    for (let from = 0; from < vectors.length; from += VECTORS_AT_ONCE) {
      const some = vectors.slice(from, from + VECTORS_AT_ONCE);
      const pairs = some.flatMap(({ id, vector }) => [`${digestOf(model)}:${id}`, bytesOf(vector)]);
      const args = [...named, subject, fieldOf(dimensions), ...pairs];
      await this.#link.write((redis) => redis.call('FCALL', args));
    }
  }

  async nearest(
    userId: string,
    { model, vector, limit }: Parameters<Vectors['nearest']>[1],
  ): Promise<readonly NearVector[]> {
    const index = indexOf(userId, model, vector.length);
    const field = fieldOf(vector.length);
    const found = await this.#ask('FT.SEARCH', [
      index.name,
      `*=>[KNN ${limit} @${field} $wanted AS distance]`,
      ...['PARAMS', '2', 'wanted', bytesOf(vector)],
      ...['RETURN', '1', 'distance', 'LIMIT', '0', String(limit), 'DIALECT', '2'],
    ]);
    if (found !== UNKNOWN_INDEX) return hitsIn(found, index.prefix);
    this.#indexes.delete(index.name);
    // It takes in by itself what is there, and has it when the next one searches.
    await this.#makeIndex(index);
    return [];
  }

  async count(): Promise<{ readonly vectors: number; readonly bytes: number }> {
    const listed = await this.#ask('FT._LIST', []);
    const names = (Array.isArray(listed) ? listed.map(String) : []).filter((name) =>
      name.startsWith(keys.ALL_VECTORS),
    );
    const sizes = await Promise.all(
      names.map(async (name) => sizeIn(await this.#ask('FT.INFO', [name]), dimensionsOf(name))),
    );
    return {
      vectors: sizes.reduce((sum, { vectors }) => sum + vectors, 0),
      bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  async #makeIndex({ name, prefix, dimensions }: Index): Promise<void> {
    if (this.#indexes.has(name)) return;
    await this.#ask('FT.CREATE', [
      ...[name, 'ON', 'HASH', 'PREFIX', '1', prefix],
      ...['SCHEMA', fieldOf(dimensions), 'VECTOR', 'FLAT', '6'],
      ...['TYPE', 'FLOAT32', 'DIM', String(dimensions), 'DISTANCE_METRIC', 'COSINE'],
    ]);
    this.#indexes.add(name);
  }

  /** What the module itself complains of is no word on Redis: that is there. */
  async #ask(command: string, args: readonly (string | Buffer)[]): Promise<unknown> {
    const answer = await this.#link.read(async (redis) => {
      try {
        return { said: await redis.call(command, [...args]) };
      } catch (error) {
        if (error instanceof Error && error.name === 'ReplyError') return { complaint: error.message };
        throw error;
      }
    });
    if (!('complaint' in answer)) return answer.said;
    // Another process may have been quicker.
    if (/already exists/i.test(answer.complaint)) return undefined;
    if (/unknown index|no such index|index .*not found/i.test(answer.complaint)) return UNKNOWN_INDEX;
    throw new Error(`The search module refused ${command}`, { cause: new Error(answer.complaint) });
  }
}

const UNKNOWN_INDEX = Symbol('unknown index');

interface Index {
  readonly name: string;
  readonly prefix: string;
  readonly dimensions: number;
}

function indexOf(userId: string, model: string, dimensions: number): Index {
  const prefix = `${keys.vectorsKey(userId)}:${digestOf(model)}:`;
  return { name: `${prefix}${dimensions}`, prefix, dimensions };
}

function dimensionsOf(indexName: string): number {
  return Number(indexName.slice(indexName.lastIndexOf(':') + 1));
}

/** A name of a model may have any character in it. */
function digestOf(model: string): string {
  return createHash('sha256').update(model).digest('base64url').slice(0, 16);
}

function fieldOf(dimensions: number): string {
  return `v${dimensions}`;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

async function absenceIn(redis: Redis): Promise<string | undefined> {
  try {
    await redis.call('FT._LIST');
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ReplyError') throw error;
    return /^NOPERM/.test(error.message)
      ? 'Redis does not let its user use the search module (FT._LIST)'
      : 'Redis has no search module, or one that is too old (it does not know FT._LIST)';
  }
}

/** How many there are, then of each its key and its fields, as names and values in turns. */
function hitsIn(answer: unknown, prefix: string): readonly NearVector[] {
  const [, ...found] = Array.isArray(answer) ? answer : [];
  return found.flatMap((key, index) => {
    const fields = found[index + 1];
    if (index % 2 === 1 || !Array.isArray(fields)) return [];
    const distance = Number(fields[fields.indexOf('distance') + 1]);
    if (!Number.isFinite(distance)) return [];
    return [{ id: String(key).slice(prefix.length), similarity: Math.min(1, Math.max(-1, 1 - distance)) }];
  });
}

/** Names and values in turns. Not every module says how large an index is: then that is what the numbers take. */
function sizeIn(info: unknown, dimensions: number): { readonly vectors: number; readonly bytes: number } {
  const figure = (name: string) => {
    const at = Array.isArray(info) ? info.indexOf(name) : -1;
    return Array.isArray(info) && at !== -1 ? Number(info[at + 1]) : Number.NaN;
  };
  const vectors = figure('num_docs') || 0;
  const bytes = Math.round(figure('vector_index_sz_mb') * 2 ** 20);
  return { vectors, bytes: Number.isFinite(bytes) ? bytes : vectors * dimensions * BYTES_A_NUMBER };
}
