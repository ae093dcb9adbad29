import { randomBytes } from 'node:crypto';
import type { KnownDevice } from '../../projections/devices/devices.ts';

/** Of a secret in memory: with keys that nobody knows, it tells whether the same is shown again, and nothing else. */
interface Mark {
  readonly length: number;
  readonly lanes: readonly [number, number, number, number];
}

interface Proven extends Mark {
  /** As it was then: whatever happens to a device makes another object of it. */
  readonly device: KnownDevice;
  readonly until: number;
}

const LANES = 4;
/** Of what hark gives out, twice as much. */
const LONGEST = 128;

/**
 * What each connection has shown and was right about, so that the same once more need not be hashed. It counts as long
 * as nothing has happened to the device: that a secret was changed, or its device revoked, counts with the next request.
 */
export class ProvenConnections {
  readonly #keys = keysOf(randomBytes(LONGEST * LANES * Int32Array.BYTES_PER_ELEMENT));
  readonly #proven = new WeakMap<object, Proven>();

  isProven(connection: object, device: KnownDevice, secret: string, at: number): boolean {
    const proven = this.#proven.get(connection);
    return proven?.device === device && at < proven.until && this.#isOf(proven, secret);
  }

  note(connection: object, device: KnownDevice, secret: string, until: number): void {
    if (secret.length > LONGEST) return;
    const { length } = secret;
    const lanes = [0, 1, 2, 3].map((lane) => this.#lane(secret, lane));
    const [first = 0, second = 0, third = 0, fourth = 0] = lanes;
    this.#proven.set(connection, { device, until, length, lanes: [first, second, third, fourth] });
  }

  #isOf({ length, lanes }: Mark, secret: string): boolean {
    if (secret.length !== length) return false;
    let difference = 0;
    for (let lane = 0; lane < LANES; lane++) difference |= this.#lane(secret, lane) ^ (lanes[lane] ?? 0);
    return difference === 0;
  }

  /** A sum with secret factors: two secrets have the same four in one of 2^96 choices of those. */
  #lane(secret: string, lane: number): number {
    const keys = this.#keys;
    let sum = 0;
    for (let index = 0; index < secret.length; index++)
      sum = (sum + Math.imul(keys[index * LANES + lane] ?? 0, secret.charCodeAt(index) + 1)) | 0;
    return sum;
  }
}

function keysOf(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
