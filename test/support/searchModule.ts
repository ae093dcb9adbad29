import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Redis } from 'ioredis';
import { CuttableProxy } from './cuttableProxy.ts';
import type { RedisServer } from './redis.ts';

interface Index {
  readonly prefix: string;
  readonly field: string;
  readonly dimensions: number;
}

/**
 * A real Redis as it answers with its search module, for what is used of that: neither Debian nor npm has one that
 * knows vectors. Everything but `FT.*` goes through; those commands are answered as the module's documentation tells,
 * from the hashes that lie in this Redis. What they do not expect is an error.
 */
export class SearchModule {
  readonly asked: string[][] = [];
  readonly indexes = new Map<string, Index>();
  /** What every command is answered with, when it is given. */
  refusal: string | undefined;
  readonly #redis: Redis;
  #proxy: CuttableProxy | undefined;

  private constructor(redis: Redis) {
    this.#redis = redis;
  }

  static async start(redis: RedisServer): Promise<SearchModule> {
    const module = new SearchModule(redis.client());
    module.#proxy = await CuttableProxy.before(redis.port, (client, upstream) =>
      module.#relay(client, upstream),
    );
    return module;
  }

  get url(): string {
    return `redis://${this.#proxy?.address}`;
  }

  async stop(): Promise<void> {
    this.#redis.disconnect();
    await this.#proxy?.[Symbol.asyncDispose]();
  }

  /** In the place of each command of the module goes an ECHO, whose answer then is where the module's belongs. */
  #relay(client: Socket, upstream: Socket): void {
    const waiting: { readonly marker: Buffer; readonly args: readonly Buffer[] }[] = [];
    const requests = new Requests();
    client.on('data', (chunk) => {
      for (const { raw, args } of requests.take(chunk)) {
        const name = String(args[0]).toUpperCase();
        if (!name.startsWith('FT.')) {
          upstream.write(raw);
          continue;
        }
        const token = randomUUID();
        waiting.push({ marker: Buffer.from(`$${token.length}\r\n${token}\r\n`), args });
        upstream.write(`*2\r\n$4\r\nECHO\r\n$${token.length}\r\n${token}\r\n`);
      }
    });
    let answers = Buffer.alloc(0);
    let passing = Promise.resolve();
    const pass = async (chunk: Buffer) => {
      answers = Buffer.concat([answers, chunk]);
      for (let next = waiting[0]; next; next = waiting[0]) {
        const at = answers.indexOf(next.marker);
        if (at === -1) return;
        client.write(answers.subarray(0, at));
        answers = answers.subarray(at + next.marker.length);
        waiting.shift();
        client.write(encoded(await this.#answer(next.args)));
      }
      client.write(answers);
      answers = Buffer.alloc(0);
    };
    upstream.on('data', (chunk) => {
      passing = passing.then(() => pass(chunk));
    });
  }

  async #answer([name = Buffer.alloc(0), ...args]: readonly Buffer[]): Promise<Answer> {
    const words = args.map(String);
    this.asked.push([String(name), ...words]);
    if (this.refusal !== undefined) return new Error(this.refusal);
    switch (String(name)) {
      case 'FT._LIST':
        return [...this.indexes.keys()];
      case 'FT.CREATE':
        return this.#create(words);
      case 'FT.SEARCH':
        return this.#search(words, args[5]);
      case 'FT.INFO':
        return this.#info(words[0] ?? '');
      default:
        return new Error(`unknown command '${name}'`);
    }
  }

  #create(words: readonly string[]): Answer {
    const given =
      /^(\S+) ON HASH PREFIX 1 (\S+) SCHEMA (\S+) VECTOR FLAT 6 TYPE FLOAT32 DIM (\d+) DISTANCE_METRIC COSINE$/;
    const [, name, prefix, field, dimensions] = given.exec(words.join(' ')) ?? [];
    if (!name || !prefix || !field) return new Error('Could not parse field spec');
    if (this.indexes.has(name)) return new Error('Index already exists');
    this.indexes.set(name, { prefix, field, dimensions: Number(dimensions) });
    return OK;
  }

  async #search([name = '', query = '', ...rest]: readonly string[], wanted?: Buffer): Promise<Answer> {
    const index = this.indexes.get(name);
    if (!index) return new Error(`${name}: no such index`);
    const [, limit, field] = /^\*=>\[KNN (\d+) @(\w+) \$wanted AS distance\]$/.exec(query) ?? [];
    const options = rest.toSpliced(3, 1).join(' ');
    const expected = `PARAMS 2 wanted RETURN 1 distance LIMIT 0 ${limit} DIALECT 2`;
    if (field !== index.field || options !== expected) return new Error(`Syntax error at ${options}`);
    if (wanted?.length !== index.dimensions * 4)
      return new Error(
        'Error parsing vector similarity query: query vector blob size does not match the index',
      );
    const found = Array.from(await this.#vectorsOf(index), ([key, vector]) => {
      return { key, distance: 1 - cosine(numbersIn(wanted), vector) };
    });
    const nearest = found.sort((one, other) => one.distance - other.distance).slice(0, Number(limit));
    return [nearest.length, ...nearest.flatMap(({ key, distance }) => [key, ['distance', String(distance)]])];
  }

  async #info(name: string): Promise<Answer> {
    const index = this.indexes.get(name);
    if (!index) return new Error(`${name}: no such index`);
    const { size } = await this.#vectorsOf(index);
    const mebibytes = (size * index.dimensions * 4) / 2 ** 20;
    return ['index_name', name, 'num_docs', size, 'indexing', 0, 'vector_index_sz_mb', String(mebibytes)];
  }

  async #vectorsOf({ prefix, field }: Index): Promise<ReadonlyMap<string, Float32Array>> {
    const vectors = new Map<string, Float32Array>();
    for (const key of await this.#redis.keys(`${prefix}*`)) {
      const bytes =
        (await this.#redis.type(key)) === 'hash' ? await this.#redis.hgetBuffer(key, field) : null;
      if (bytes) vectors.set(key, numbersIn(bytes));
    }
    return vectors;
  }
}

type Answer = string | number | Error | typeof OK | readonly Answer[];
const OK = Symbol('OK');

function encoded(answer: Answer): string {
  if (answer === OK) return '+OK\r\n';
  if (answer instanceof Error) return `-${answer.message}\r\n`;
  if (typeof answer === 'number') return `:${answer}\r\n`;
  if (typeof answer === 'string') return `$${Buffer.byteLength(answer)}\r\n${answer}\r\n`;
  return typeof answer === 'symbol' ? '' : `*${answer.length}\r\n${answer.map(encoded).join('')}`;
}

/** What a client sends: lists of byte strings. */
class Requests {
  #bytes = Buffer.alloc(0);

  take(chunk: Buffer): readonly { readonly raw: Buffer; readonly args: readonly Buffer[] }[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const taken: { raw: Buffer; args: readonly Buffer[] }[] = [];
    for (;;) {
      const next = this.#next();
      if (!next) return taken;
      taken.push({ raw: this.#bytes.subarray(0, next.end), args: next.args });
      this.#bytes = this.#bytes.subarray(next.end);
    }
  }

  #next(): { readonly args: readonly Buffer[]; readonly end: number } | undefined {
    const count = this.#figureAt(0);
    if (!count) return undefined;
    const args: Buffer[] = [];
    let { end } = count;
    while (args.length < count.figure) {
      const length = this.#figureAt(end);
      if (!length || this.#bytes.length < length.end + length.figure + 2) return undefined;
      args.push(this.#bytes.subarray(length.end, length.end + length.figure));
      end = length.end + length.figure + 2;
    }
    return { args, end };
  }

  /** Behind its sign, up to the end of the line. */
  #figureAt(at: number): { readonly figure: number; readonly end: number } | undefined {
    const end = this.#bytes.indexOf('\r\n', at);
    return end === -1
      ? undefined
      : { figure: Number(String(this.#bytes.subarray(at + 1, end))), end: end + 2 };
  }
}

function numbersIn(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}

function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (const [index, number] of one.entries()) sum += number * (other[index] ?? 0);
  return sum / (Math.hypot(...one) * Math.hypot(...other));
}
