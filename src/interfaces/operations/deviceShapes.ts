import { z } from 'zod';
import { lazily } from '../../lazily.ts';
import type { KnownDevice } from '../../projections/devices/devices.ts';
import { deviceCapabilities, deviceStatuses, deviceTypes } from '../../vocabulary.ts';

export const deviceType = lazily(() => z.enum(deviceTypes));
export const deviceStatus = lazily(() => z.enum(deviceStatuses));

const allCapabilities = lazily(() => z.record(z.enum(deviceCapabilities), z.boolean()));
const has = lazily(() => z.boolean().default(false));
/** As they are asked for: what is not said to be there is not. */
export const wantedCapabilities = lazily(() =>
  z.object({
    audio: has(),
    microphone: has(),
    speaker: has(),
    display: has(),
    buttons: has(),
    sensors: has(),
  }),
);
const may = lazily(() => z.boolean().exactOptional());
export const changedCapabilities = lazily(() =>
  z.object({
    audio: may(),
    microphone: may(),
    speaker: may(),
    display: may(),
    buttons: may(),
    sensors: may(),
  }),
);

export const deviceName = lazily(() => z.string().trim().min(1).max(100));

export const deviceView = lazily(() =>
  z.object({
    id: z.string(),
    name: z.string().nullable().describe('Null once it was erased'),
    type: deviceType(),
    status: deviceStatus(),
    capabilities: allCapabilities().describe('What it may use, by the word of who approved it'),
    userId: z.string().nullable().describe('For whom it speaks; null until it is linked'),
    trustLevel: z
      .int()
      .min(0)
      .max(3)
      .describe('0 nothing shown, 1 the API key, 2 the right secret, 3 after 10 authentications over 7 days'),
    keyed: z.boolean().describe('It proves itself with a key of its own, and has no secret'),
    createdAt: z.int(),
    lastSeenAt: z.int().nullable(),
    authentications: z.int(),
    sas: z.string().exactOptional().describe('Letters that have to be the same on the device itself'),
  }),
);

export type DeviceView = z.output<ReturnType<typeof deviceView>>;

export function deviceToWire(
  device: KnownDevice,
  name: string | null,
  trustLevel: DeviceView['trustLevel'],
): DeviceView {
  const { deviceId, type, status, capabilities, linkedTo, publicKey, sas } = device;
  const { createdAt, lastSeenAt, authentications } = device;
  return {
    ...{ id: deviceId, name, type, status, capabilities, userId: linkedTo, trustLevel },
    ...{ keyed: publicKey !== null, createdAt, lastSeenAt, authentications },
    ...(sas === null ? {} : { sas }),
  };
}
