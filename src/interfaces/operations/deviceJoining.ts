import { z } from 'zod';
import { outOfScope } from '../../application/deviceScope.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import type { ServiceContext } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type AnyOperation, type Caller, defineOperation, id } from '../operation.ts';
import { deviceName, deviceType, deviceView, wantedCapabilities } from './deviceShapes.ts';
import type { DeviceOptions, ShownDevices } from './shownDevices.ts';

const area = 'devices';
const path = '/api/devices';

const wish = lazily(() =>
  z.object({
    type: deviceType(),
    name: deviceName().optional(),
    capabilities: wantedCapabilities(),
    publicKey: z
      .string()
      .max(64)
      .optional()
      .describe('Ed25519, 32 bytes in base64url: the device proves itself with its key, and gets no secret'),
    nonce: z
      .string()
      .regex(/^[\w-]{22}$/, 'must be 16 bytes in base64url')
      .optional()
      .describe('16 random bytes in base64url, for the letters that both sides compare'),
    pairingCode: z.string().min(1).max(200).optional(),
  }),
);

/** How devices come. */
export function joiningOperations(options: DeviceOptions, access: ShownDevices): readonly AnyOperation[] {
  const { kvstore, joining, keys, hasKey } = options;
  const isVouched = ({ isKnown = false }: Caller) => hasKey && isKnown;
  const join = (
    context: ServiceContext,
    { pairingCode, name, ...said }: z.output<ReturnType<typeof wish>>,
    caller: Caller,
  ) => {
    const { publicKey, nonce, ...rest } = said;
    const whole = { ...rest, name: name ?? said.type, publicKey, nonce, deviceId: newIdFor(caller) };
    if (pairingCode !== undefined) return joining.redeem(context, pairingCode, whole, caller.correlationId);
    if (caller.isKnown !== true)
      throw new HarkError('UNAUTHORIZED', { message: 'Missing API key or pairing code' });
    if (caller.device) throw outOfScope();
    const { address } = caller;
    return joining.wait(context, whole, { address, isVouched: isVouched(caller), as: caller });
  };
  return [
    defineOperation({
      name: 'devices.register',
      area,
      device: 'proof',
      summary: 'Registers a device',
      description:
        'With a pairing code it is active and linked at once, and no API key is needed. Without one it waits as ' +
        '`pending` until somebody approves it with `PUT /api/devices/{id}`, for 5 minutes, and no more than 3 of one ' +
        'address at a time. The `secret` is shown this once. A device with a key works out 12 letters of ' +
        '`BCDFGHJKLMNPQRSTVWXZ`, each of the first 12 bytes modulo 20 of the SHA-256 of `publicKey serviceKey nonce ' +
        'serviceNonce` as raw bytes, and shows them to be compared with `sas` of its record. `serviceProof` is the ' +
        'signature of `serviceKey` over `hark-service:v1:<publicKey>:<nonce>:<serviceNonce>`.',
      rest: { method: 'POST', path: `${path}/register`, status: 201, access: 'open', limitsFailures: true },
      input: wish,
      output: () =>
        z.object({
          device: deviceView(),
          secret: z.string().nullable(),
          serviceKey: z.string().exactOptional(),
          serviceNonce: z.string().exactOptional(),
          serviceProof: z.string().exactOptional(),
        }),
      errors: ['PAIRING_CODE_INVALID', 'UNAUTHORIZED', 'TOO_MANY_REQUESTS', 'KVSTORE_UNAVAILABLE'],
      example: { input: { type: 'esp32', name: 'Kitchen button', capabilities: { buttons: true } } },
      async run(input, caller) {
        const context = kvstore.connected();
        if (input.publicKey !== undefined && !keys.isPublicKey(input.publicKey)) {
          const issue = { path: ['publicKey'], message: 'must be an Ed25519 key, 32 bytes in base64url' };
          throw new HarkError('VALIDATION_FAILED', { body: { issues: [issue] } });
        }
        const { deviceId, ...told } = await join(context, input, caller);
        return { device: await access.shown(context, deviceId), ...told };
      },
    }),
    defineOperation({
      name: 'devices.pair',
      area,
      device: 'never',
      summary: 'Makes a pairing code: who registers with it within 10 minutes need not be approved',
      description:
        'The code counts once, for the type, the capabilities and the user that are named here. `url` says where the ' +
        'service is, and carries the code and the key of the service behind the `#`; `qr` is the same as an SVG.',
      rest: { method: 'POST', path: `${path}/pairing-codes`, status: 201, isPowerful: true },
      input: () =>
        z.object({
          type: deviceType().optional().describe('Any, where it is left out'),
          capabilities: wantedCapabilities()
            .optional()
            .describe('What the device asks for, where it is left out'),
          userId: id().optional().describe('For whom it will speak; who asks, where it is left out'),
        }),
      output: () => z.object({ code: z.string(), url: z.string(), qr: z.string(), expiresAt: z.int() }),
      errors: ['KVSTORE_UNAVAILABLE', 'CREDENTIALS_UNAVAILABLE'],
      example: { input: { type: 'esp32', capabilities: { microphone: true, speaker: true } } },
      async run({ type = null, capabilities = null, userId }, caller) {
        const context = kvstore.connected();
        const linkTo = userId ?? caller.userId;
        const invited = {
          deviceId: newIdFor(caller),
          type,
          capabilities,
          linkTo,
          isVouched: isVouched(caller),
        };
        const as = { userId: caller.userId, correlationId: caller.correlationId };
        const { code, expiresAt, serviceKey } = await joining.invite(context, invited, as);
        const url = `${options.url()}/#pair=${code}&key=${serviceKey}`;
        return { code, url, qr: await options.qr(url), expiresAt };
      },
    }),
  ];
}
