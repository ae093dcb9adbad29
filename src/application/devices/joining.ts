import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { type Newcomer, registerDevice } from '../../commands/devices/device.ts';
import { invalidCode, inviteDevice, redeemCode } from '../../commands/devices/pairing.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import type { Capabilities } from '../../events/devices.ts';
import { devices, findDevice } from '../../projections/devices/devices.ts';
import type { Views } from '../../projections/runtime.ts';
import type { DeviceType } from '../../vocabulary.ts';
import { type DeviceKeys, digestOf, lettersOf } from './keys.ts';
import { WaitingDevices } from './waiting.ts';

const CODE_BYTES = 16;
const CODE_MS = 10 * 60_000;
const APPROVAL_MS = 5 * 60_000;
const SECRET_BYTES = 32;
const NONCE_BYTES = 16;

interface JoiningContext {
  readonly runner: CommandRunner;
  readonly views: Views;
}

interface JoiningOptions {
  readonly clock: Clock;
  readonly keys: DeviceKeys;
}

interface Invited {
  readonly deviceId: string;
  readonly type: DeviceType | null;
  readonly capabilities: Capabilities | null;
  readonly linkTo: string;
  readonly isVouched: boolean;
}

/** What a device says of itself when it comes. */
interface Wish {
  readonly deviceId: string;
  readonly type: DeviceType;
  readonly name: string;
  readonly capabilities: Capabilities;
  readonly publicKey: string | undefined;
  readonly nonce: string | undefined;
}

/** What a device alone is told, this once. */
interface Joined {
  readonly deviceId: string;
  /** Null for a device with a key, and where the request was repeated. */
  readonly secret: string | null;
  readonly serviceKey?: string;
  readonly serviceNonce?: string;
  /** The service's signature over what both sides sent: who has its key from a pairing code knows that it is the one. */
  readonly serviceProof?: string;
}

/** How devices come: with a pairing code, or asking somebody to approve them. */
export class DeviceJoining {
  readonly #clock: Clock;
  readonly #keys: DeviceKeys;
  readonly #waiting = new WaitingDevices();

  constructor({ clock, keys }: JoiningOptions) {
    this.#clock = clock;
    this.#keys = keys;
  }

  /** The code is nowhere but in this answer. */
  async invite({ runner }: JoiningContext, invited: Invited, as: CommandContext) {
    const { publicKey } = await this.#keys.ofService();
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const expiresAt = this.#clock() + CODE_MS;
    await runner.run(inviteDevice, { ...invited, code: digestOf(code), expiresAt }, as);
    return { code, expiresAt, serviceKey: publicKey };
  }

  async redeem({ runner, views }: JoiningContext, code: string, wish: Wish, correlationId: string) {
    const invitation = views.view(devices).invitations.get(digestOf(code));
    if (!invitation || invitation.expiresAt <= this.#clock()) throw invalidCode();
    const { deviceId, ownerId } = invitation;
    const { newcomer, joined } = await this.#newcomer({ ...wish, deviceId });
    const input = { ...newcomer, code: invitation.code };
    await runner.run(redeemCode, input, { userId: ownerId, correlationId });
    return joined;
  }

  /** It waits for approval. `address` is where it comes from, and `isVouched` whether the API key came with it. */
  async wait(
    { runner, views }: JoiningContext,
    wish: Wish,
    { address, isVouched, as }: { address: string; isVouched: boolean; as: CommandContext },
  ): Promise<Joined> {
    const now = this.#clock();
    const expiresAt = now + APPROVAL_MS;
    const { deviceId } = wish;
    const waits = (other: string) => findDevice(views, other, now)?.expiresAt !== null;
    this.#waiting.take(address, { deviceId, until: expiresAt }, now, waits);
    const { newcomer, joined } = await this.#newcomer(wish);
    const { repeated } = await runner.run(registerDevice, { ...newcomer, isVouched, expiresAt }, as);
    return repeated ? { deviceId, secret: null } : joined;
  }

  async #newcomer(wish: Wish): Promise<{ newcomer: Newcomer; joined: Joined }> {
    const { publicKey, nonce, ...said } = wish;
    const { deviceId } = said;
    if (publicKey === undefined) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const newcomer = { ...said, secret: digestOf(secret), publicKey: null, sas: null };
      return { newcomer, joined: { deviceId, secret } };
    }
    const { publicKey: serviceKey, sign } = await this.#keys.ofService();
    const serviceNonce = randomBytes(NONCE_BYTES).toString('base64url');
    const sas = nonce === undefined ? null : lettersOf({ publicKey, serviceKey, nonce, serviceNonce });
    const serviceProof = sign(`hark-service:v1:${publicKey}:${nonce ?? ''}:${serviceNonce}`);
    return {
      newcomer: { ...said, secret: null, publicKey, sas },
      joined: { deviceId, secret: null, serviceKey, serviceNonce, serviceProof },
    };
  }
}
