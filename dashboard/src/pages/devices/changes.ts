import { ask, type Input, type Output } from '../../api/ask.ts';
import { confirmed } from '../../parts/dialog.tsx';
import { visible } from '../../parts/plain.tsx';
import { attempt, tell } from '../../parts/toasts.tsx';
import { words } from './words.ts';

export type Device = Output<'GET /api/devices'>['devices'][number];
type Change = Omit<Input<'PUT /api/devices/:id'>, 'id'>;

/** Names come from the devices themselves. */
export function nameOf({ name }: Device): string {
  return name === null || name === '' ? words.unnamed : visible(name.slice(0, 80));
}

/** Where the state before can be had back, the receipt offers it. */
export async function change(device: Device, wanted: Change, before?: Change): Promise<boolean> {
  const done = await attempt(() => ask('PUT /api/devices/:id', { id: device.id, ...wanted }));
  if (!done) return false;
  const undo = before && (() => ask('PUT /api/devices/:id', { id: device.id, ...before }));
  tell(wanted.status === 'active' && device.status === 'pending' ? words.approved : words.changed, undo);
  return true;
}

/** Who was spoken for until then may be had back, as long as this user may still change the device. */
export async function link({ id, userId: before }: Device, userId: string): Promise<boolean> {
  const done = await attempt(() => ask('POST /api/devices/:id/link', { id, userId }));
  if (!done) return false;
  tell(
    words.linked(userId),
    before === null ? undefined : () => ask('POST /api/devices/:id/link', { id, userId: before }),
  );
  return true;
}

export async function revoke(device: Device): Promise<void> {
  const question = { title: words.revokeTitle(nameOf(device)), text: words.revokeText, action: words.revoke };
  if (await confirmed({ ...question, isGrave: true })) await change(device, { status: 'revoked' });
}

export async function remove(device: Device): Promise<void> {
  const question = { title: words.removeTitle(nameOf(device)), text: words.removeText, action: words.remove };
  if (!(await confirmed({ ...question, isGrave: true }))) return;
  if (await attempt(() => ask('DELETE /api/devices/:id', { id: device.id }))) tell(words.gone);
}

export async function newSecret(device: Device): Promise<string | undefined> {
  const question = { title: words.rotateTitle(nameOf(device)), text: words.rotateText, action: words.rotate };
  if (!(await confirmed(question))) return undefined;
  return (await attempt(() => ask('POST /api/devices/:id/rotate', { id: device.id })))?.secret;
}
