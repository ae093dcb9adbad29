import { deviceEvents, deviceStream } from '../../events/devices.ts';
import type { EventReader } from '../../store/port.ts';
import type { Views } from '../runtime.ts';
import { DeviceTable, devices } from './devices.ts';

const types: ReadonlySet<string> = new Set(deviceEvents.map(({ type }) => type));

/** The devices of a user as they were once. */
export async function devicesAt(
  { store, views }: { readonly store: EventReader; readonly views: Views },
  userId: string,
  time: number,
): Promise<DeviceTable> {
  const table = new DeviceTable();
  for await (const { events } of store.readAll({ after: 0, userId, types }))
    for (const event of events) if (event.userId === userId && event.at <= time) table.apply(event);
  // What came in the name of somebody else lies there.
  for (const device of views.view(devices).byId.values()) {
    if (device.linkedTo !== userId || device.ownerId === userId) continue;
    for await (const events of store.readStream(deviceStream(device)))
      for (const event of events) if (event.at <= time) table.apply(event);
  }
  return table;
}
