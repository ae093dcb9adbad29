import { ask, type Output } from '../api/ask.ts';

export type Belief = Output<'GET /api/memory/conclusions'>['conclusions'][number];
type Status = Belief['status'];

/** What is believed now of what was believed then, and the other way round. */
export interface Difference {
  readonly added: readonly Belief[];
  /** Believed then, and what it is now: undefined where it was erased. */
  readonly gone: readonly { readonly before: Belief; readonly now: Belief | undefined }[];
  readonly changed: readonly { readonly before: Belief; readonly now: Belief }[];
}

export async function differenceSince(at: number, signal: AbortSignal): Promise<Difference> {
  const read = async (status: Status, past: { readonly at?: number } = {}) =>
    (await ask('GET /api/memory/conclusions', { status, ...past }, { signal })).conclusions;
  const [then, ...now] = await Promise.all([
    read('active', { at }),
    read('active'),
    read('pruned'),
    read('merged'),
  ]);
  const [active = []] = now;
  const byId = new Map(now.flat().map((one) => [one.id, one]));
  const ids = new Set(then.map(({ id }) => id));
  const stays = then.flatMap((one) => {
    const today = byId.get(one.id);
    return today?.status === 'active' ? [{ before: one, now: today }] : [];
  });
  return {
    added: active.filter(({ id }) => !ids.has(id)),
    gone: then
      .map((one) => ({ before: one, now: byId.get(one.id) }))
      .filter((one) => one.now?.status !== 'active'),
    changed: stays.filter((one) => one.before.confidence !== one.now.confidence),
  };
}
