import { randomBytes } from 'node:crypto';
import type { KnownDevice } from '../../projections/devices/devices.ts';

/** Of a secret in memory: with keys that nobody knows, it tells whether the same is shown again, and nothing else. */
interface Mark {
  readonly length: number;
  readonly lanes: Lanes;
}

type Lanes = readonly [number, number, number, number];

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
    this.#proven.set(connection, { device, until, length, lanes: this.#lanesOf(secret) });
  }

  #isOf({ length, lanes: [first, second, third, fourth] }: Mark, secret: string): boolean {
    if (secret.length !== length) return false;
    const [one, two, three, four] = this.#lanesOf(secret);
    return ((one ^ first) | (two ^ second) | (three ^ third) | (four ^ fourth)) === 0;
  }

  /** Sums with secret factors: two secrets have the same four in one of 2^96 choices of those. */
  #lanesOf(secret: string): Lanes {
    const keys = this.#keys;
    let [one, two, three, four] = [0, 0, 0, 0];
    for (let index = 0, at = 0; index < secret.length; index++, at += LANES) {
      const code = secret.charCodeAt(index) + 1;
      one = (one + Math.imul(keys[at] ?? 0, code)) | 0;
      two = (two + Math.imul(keys[at + 1] ?? 0, code)) | 0;
      three = (three + Math.imul(keys[at + 2] ?? 0, code)) | 0;
      four = (four + Math.imul(keys[at + 3] ?? 0, code)) | 0;
    }
    return [one, two, three, four];
  }
}

function keysOf(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
