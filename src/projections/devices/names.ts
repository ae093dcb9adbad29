import { isEvent } from '../../events/definition.ts';
import { deviceRegistered, deviceRenamed, deviceStream } from '../../events/devices.ts';
import type { EventReader } from '../../store/port.ts';
import type { KnownDevice } from './devices.ts';

/** What a device is called: its users' own words, so that it is read where it was said. Null once it was erased. */
export async function nameOf(store: EventReader, device: KnownDevice): Promise<string | null> {
  const from = { fromVersion: device.namedAt, firstPage: 1 };
  for await (const [event] of store.readStream(deviceStream(device), from))
    if (event && (isEvent(event, deviceRegistered) || isEvent(event, deviceRenamed))) return event.data.name;
  return null;
}
