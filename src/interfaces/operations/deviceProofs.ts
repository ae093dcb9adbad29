import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { challengeFor, tokenFor } from '../../application/devices/authenticating.ts';
import { digestOf } from '../../application/devices/keys.ts';
import { unknownDevice } from '../../commands/devices/device.ts';
import { rotateSecret, unproven } from '../../commands/devices/proving.ts';
import { HarkError } from '../../errors.ts';
import { isKeptOut } from '../../folds/devices/device.ts';
import { findDevice } from '../../projections/devices/devices.ts';
import { type AnyOperation, defineOperation, id } from '../operation.ts';
import { deviceView } from './deviceShapes.ts';
import type { DeviceOptions, ShownDevices } from './shownDevices.ts';

const area = 'devices';
const path = '/api/devices/:id';
const invalidId = 'Invalid device ID format';
const SECRET_BYTES = 32;
const example = { input: { id: 'unknown' } };

/** How devices show who they are. */
export function provingOperations(options: DeviceOptions, access: ShownDevices): readonly AnyOperation[] {
  const { kvstore, clock, proofs, keys } = options;
  return [
    defineOperation({
      name: 'devices.challenge',
      area,
      device: 'proof',
      summary: 'Something to sign, for a device with a key',
      description: 'It counts once, and for a minute. No API key is needed.',
      rest: { method: 'POST', path: `${path}/challenge`, invalidId, access: 'open' },
      input: () => z.object({ id: id() }),
      output: () => z.object({ challenge: z.string(), expiresAt: z.int() }),
      errors: ['DEVICE_UNKNOWN', 'DEVICE_NOT_KEYED', 'UNAUTHORIZED', 'KVSTORE_UNAVAILABLE'],
      example,
      async run({ id: deviceId }, { correlationId }) {
        const context = kvstore.connected();
        const at = clock();
        const device = findDevice(context.views, deviceId, at);
        if (!device) throw unknownDevice(deviceId);
        if (isKeptOut(device)) throw unproven();
        return challengeFor(context, device, { at, as: { userId: device.ownerId, correlationId } });
      },
    }),
    defineOperation({
      name: 'devices.authenticate',
      area,
      device: 'proof',
      summary: 'Shows who a device is: by its secret, or by a signature over its challenge',
      description:
        'What is signed with Ed25519 is the text `hark-device:v1:<id>:<challenge>`; the answer then also has a ' +
        '`token`, which is sent as `X-Device-Secret` for an hour. A device that waits for approval learns in this way ' +
        'whether it has it. No API key is needed.',
      rest: { method: 'POST', path: `${path}/authenticate`, invalidId, access: 'open', limitsFailures: true },
      input: () =>
        z.object({
          id: id(),
          secret: z.string().min(1).max(200).optional(),
          signature: z.string().min(1).max(200).optional().describe('64 bytes in base64url'),
        }),
      output: () =>
        z.object({
          authenticated: z.literal(true),
          trustLevel: deviceView().shape.trustLevel,
          device: deviceView(),
          token: z.string().exactOptional(),
          expiresAt: z.int().exactOptional(),
        }),
      errors: ['UNAUTHORIZED', 'KVSTORE_UNAVAILABLE'],
      example: { input: { id: 'unknown', secret: 'shown when it registered' } },
      async run({ id: deviceId, secret, signature }, { correlationId }) {
        const context = kvstore.connected();
        const at = clock();
        if ((secret === undefined) === (signature === undefined)) throw eitherIsNeeded();
        let given = {};
        if (secret !== undefined) {
          if (!(await proofs.confirm(context, { id: deviceId, secret, at }))) throw unproven();
        } else if (signature !== undefined) {
          const device = findDevice(context.views, deviceId, at);
          if (!device) throw unproven();
          const asked = { signature, keys, at, as: { userId: device.ownerId, correlationId } };
          given = await tokenFor(context, device, asked);
        }
        const device = await access.shown(context, deviceId);
        return { authenticated: true as const, trustLevel: device.trustLevel, device, ...given };
      },
    }),
    defineOperation({
      name: 'devices.rotate',
      area,
      device: 'own',
      summary: 'Gives a device another secret; the old one counts no more',
      description: 'The secret is shown this once. A device with a key makes a new one by registering anew.',
      rest: { method: 'POST', path: `${path}/rotate`, invalidId, isPowerful: true },
      input: () => z.object({ id: id() }),
      output: () => z.object({ secret: z.string() }),
      errors: ['DEVICE_UNKNOWN', 'DEVICE_KEYED', 'KVSTORE_UNAVAILABLE'],
      example,
      async run({ id: deviceId }, caller) {
        const context = kvstore.connected();
        const device = access.own(context, deviceId, caller);
        const secret = randomBytes(SECRET_BYTES).toString('base64url');
        const { correlationId } = caller;
        // Each request gives another: what an earlier one gave is nowhere.
        const asked = { userId: device.ownerId, correlationId };
        await context.runner.run(rotateSecret, { deviceId, secret: digestOf(secret) }, asked);
        return { secret };
      },
    }),
  ];
}

function eitherIsNeeded(): HarkError {
  const issue = { path: [], message: 'either secret or signature is required' };
  return new HarkError('VALIDATION_FAILED', { body: { issues: [issue] } });
}
