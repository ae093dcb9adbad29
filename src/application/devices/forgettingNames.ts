import { forgetDeviceName } from '../../commands/devices/device.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { devices } from '../../projections/devices/devices.ts';
import type { Views } from '../../projections/runtime.ts';

interface Erasure {
  readonly userId: string;
  readonly correlationId: string;
  /** Of the memory's stream, right after everything was erased. */
  readonly version: number;
}

/**
 * Of devices that speak for a user whose everything was erased, and that came in somebody else's name: what those are
 * called is sealed under keys of that other user.
 */
export async function forgetNames(
  { runner, views }: { readonly runner: Pick<CommandRunner, 'run'>; readonly views: Views },
  { userId, correlationId, version }: Erasure,
): Promise<void> {
  const theirs = [...views.view(devices).byId.values()].filter(
    ({ linkedTo, ownerId }) => linkedTo === userId && ownerId !== userId,
  );
  for (const { deviceId, ownerId } of theirs) {
    const commandId = `forget-name:${userId}:${version}:${deviceId}`;
    await runner.run(forgetDeviceName, { deviceId }, { userId: ownerId, correlationId, commandId });
  }
}
