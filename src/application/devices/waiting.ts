import { HarkError } from '../../errors.ts';

/** So many devices of one address may wait for approval at a time. */
const MOST_WAITING = 3;
const MOST_ADDRESSES = 10_000;

interface Place {
  readonly deviceId: string;
  readonly until: number;
}

/**
 * Which address the devices came from that wait for approval. It is counted in this process alone: an address is
 * personal, and is kept nowhere.
 */
export class WaitingDevices {
  readonly #byAddress = new Map<string, readonly Place[]>();

  /** Throws where too many of the address wait; `waits` says of a device whether it still does. */
  take(address: string, place: Place, now: number, waits: (deviceId: string) => boolean): void {
    const others = this.#at(address).filter(({ deviceId }) => deviceId !== place.deviceId);
    const waiting = others.filter(({ deviceId, until }) => until > now && waits(deviceId));
    if (waiting.length >= MOST_WAITING) {
      const first = Math.min(...waiting.map(({ until }) => until));
      const retryAfter = Math.max(1, Math.ceil((first - now) / 1_000));
      const message = 'Too many devices of this address wait for approval';
      throw new HarkError('TOO_MANY_REQUESTS', { message, limit: MOST_WAITING, body: { retryAfter } });
    }
    this.#byAddress.delete(address);
    this.#byAddress.set(address, [...waiting, place]);
    const oldest = this.#byAddress.size > MOST_ADDRESSES ? this.#byAddress.keys().next().value : undefined;
    if (oldest !== undefined) this.#byAddress.delete(oldest);
  }

  #at(address: string): readonly Place[] {
    return this.#byAddress.get(address) ?? [];
  }
}
