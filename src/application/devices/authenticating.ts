import { randomBytes } from 'node:crypto';
import { acceptSignature, challengeDevice, unproven } from '../../commands/devices/proving.ts';
import type { CommandContext } from '../../commands/runner.ts';
import type { KnownDevice } from '../../projections/devices/devices.ts';
import { type DeviceKeys, digestOf } from './keys.ts';
import type { DevicesContext } from './proofs.ts';

const CHALLENGE_BYTES = 32;
const CHALLENGE_MS = 60_000;
const TOKEN_BYTES = 32;
const TOKEN_MS = 3_600_000;

interface Wording {
  readonly deviceId: string;
  readonly challenge: string;
}

/** What a device signs. */
function textOf({ deviceId, challenge }: Wording): string {
  return `hark-device:v1:${deviceId}:${challenge}`;
}

/** Something to sign, for a device with a key. */
export async function challengeFor(
  { runner }: DevicesContext,
  { deviceId }: KnownDevice,
  { at, as }: { readonly at: number; readonly as: CommandContext },
) {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const expiresAt = at + CHALLENGE_MS;
  await runner.run(challengeDevice, { deviceId, challenge, expiresAt }, as);
  return { challenge, expiresAt };
}

/** A token for a right signature over a challenge that counts. */
export async function tokenFor(
  { runner }: DevicesContext,
  { deviceId, publicKey, challenges }: KnownDevice,
  { signature, keys, at, as }: { signature: string; keys: DeviceKeys; at: number; as: CommandContext },
) {
  const signed = challenges.find(
    ({ challenge, expiresAt }) =>
      publicKey !== null &&
      expiresAt > at &&
      keys.isSigned(textOf({ deviceId, challenge }), signature, publicKey),
  );
  if (!signed) throw unproven();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = at + TOKEN_MS;
  const input = { deviceId, challenge: signed.challenge, token: { digest: digestOf(token), expiresAt } };
  await runner.run(acceptSignature, input, as);
  return { token, expiresAt };
}
