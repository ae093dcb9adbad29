import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { deviceCapabilities, deviceStatuses, deviceTypes } from '../vocabulary.ts';
import { defineEvent, type EventOf, personal, readerOf } from './definition.ts';

/*
 * Each device is a stream of its own, of the user in whose name it came; it speaks for whom it is linked to. No id is
 * used twice.
 *
 *   invited ─► registered, linked, status.changed     by a pairing code
 *              registered ─► (linked,) status.changed  by somebody who approves it
 *                   └─► renamed…, challenged…, authenticated…, status.changed… and so on ─► deleted
 */

const device = lazily(() => ({ deviceId: z.string() }));
const subject = ({ deviceId }: { deviceId: string }) => `device-${deviceId}`;

const capabilities = lazily(() => z.record(z.enum(deviceCapabilities), z.boolean()));
export type Capabilities = z.output<ReturnType<typeof capabilities>>;

/** SHA-256 in hexadecimal digits: secrets themselves are nowhere. */
const digest = lazily(() => z.string());
const name = lazily(() => personal(z.string()));

/** A pairing code was made: the device that redeems it gets this id. */
const deviceInvited = defineEvent('device.invited', {
  data: () =>
    z.object({
      ...device(),
      code: digest(),
      /** Null where any will do. */
      type: z.enum(deviceTypes).nullable(),
      /** Null where it gets what it asks for. */
      capabilities: capabilities().nullable(),
      linkTo: z.string(),
      /** Who made the code showed the API key. */
      isVouched: z.boolean(),
      expiresAt: z.number(),
    }),
});

export const deviceRegistered = defineEvent('device.registered', {
  data: () =>
    z.object({
      ...device(),
      type: z.enum(deviceTypes),
      name: name(),
      capabilities: capabilities(),
      /** Null for a device with a key. */
      secret: digest().nullable(),
      /** Ed25519, 32 bytes in base64url; null for a device with a secret. */
      publicKey: z.string().nullable(),
      /** The letters that both sides compare. */
      sas: z.string().nullable(),
      /** Who brought it showed the API key. */
      isVouched: z.boolean(),
      /** It has to be approved by then; null where it need not. */
      expiresAt: z.number().nullable(),
    }),
  subject,
});

const deviceLinked = defineEvent('device.linked', {
  data: () => z.object({ ...device(), linkedTo: z.string() }),
});

export const deviceStatusChanged = defineEvent('device.status.changed', {
  data: () => z.object({ ...device(), status: z.enum(deviceStatuses) }),
});

export const deviceRenamed = defineEvent('device.renamed', {
  data: () => z.object({ ...device(), name: name() }),
  subject,
});

/** Whom it speaks for had everything erased. */
const deviceNameForgotten = defineEvent('device.name.forgotten', {
  data: () => z.object(device()),
  forgets: (data) => [subject(data)],
});

const deviceCapabilitiesChanged = defineEvent('device.capabilities.changed', {
  data: () => z.object({ ...device(), capabilities: capabilities() }),
});

const deviceChallenged = defineEvent('device.challenged', {
  data: () => z.object({ ...device(), challenge: z.string(), expiresAt: z.number() }),
});

/** A right proof was shown, or several since the last such event. */
const deviceAuthenticated = defineEvent('device.authenticated', {
  data: () =>
    z.object({
      ...device(),
      times: z.int().positive(),
      /** The challenge that was signed: it counts no more. */
      challenge: z.string().exactOptional(),
      /** What was given for the signature, as a secret for some time. */
      token: z.object({ digest: digest(), expiresAt: z.number() }).exactOptional(),
    }),
});

const deviceSecretRotated = defineEvent('device.secret.rotated', {
  data: () => z.object({ ...device(), secret: digest() }),
});

export const deviceDeleted = defineEvent('device.deleted', {
  data: () => z.object(device()),
  subject,
  forgets: (data) => [subject(data)],
});

export function deviceStream({ deviceId }: { readonly deviceId: string }): string {
  return `device-${deviceId}`;
}

export const deviceEvents = [
  deviceInvited,
  deviceRegistered,
  deviceLinked,
  deviceStatusChanged,
  deviceRenamed,
  deviceNameForgotten,
  deviceCapabilitiesChanged,
  deviceChallenged,
  deviceAuthenticated,
  deviceSecretRotated,
  deviceDeleted,
] as const;

export type DeviceEvent = EventOf<(typeof deviceEvents)[number]>;

/** An event of this area as what it is; undefined for one of another. */
export const readDeviceEvent = readerOf(deviceEvents);
