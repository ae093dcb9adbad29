import { z } from 'zod';
import type { SlotIntents } from '../application/chat/slotIntents.ts';
import { type Availability, reasons } from '../application/providers/availability.ts';
import type { SlotBook } from '../application/providers/slotBook.ts';
import { slotsStream } from '../commands/providers/changeSlots.ts';
import { lazily } from '../lazily.ts';
import { slots as slotsChosen } from '../projections/providers/slots.ts';
import { viewAtTime } from '../projections/runtime.ts';
import { type ProviderId, providerIds, type SlotName, slotNames, strategies } from '../vocabulary.ts';
import type { Kvstore } from './kvstore.ts';
import { labelOf, providerLabel } from './providerNaming.ts';

/** A first start has slots once the catalogs have come; who asks sooner waits no longer than this. */
const LONGEST_WAIT_MS = 2_000;

/** Of `classification`: the built-in classifier decides in its place. */
const TOO_SLOW = 'too slow';

const modelRef = lazily(() =>
  z.object({ provider: z.enum(providerIds), label: providerLabel(), model: z.string() }),
);

const slot = lazily(() =>
  modelRef().extend({
    fallbacks: z.array(modelRef()).readonly(),
    status: z
      .object({
        state: z.enum(['up', 'fallback', 'down']),
        reason: z
          .enum([...reasons, TOO_SLOW])
          .optional()
          .describe('Why the first model is down'),
        active: modelRef().optional().describe('Who answers in its place'),
      })
      .readonly()
      .exactOptional()
      .describe('Left out of the past: whether a model would have answered then, no log says'),
  }),
);

/** Every slot by name; null for one that is not set. */
export const slotTable = lazily(() => z.record(z.enum(slotNames), slot().nullable()));

export const slotsView = lazily(() => z.object({ slots: slotTable(), strategy: z.enum(strategies) }));

export interface Slots {
  readonly book: SlotBook;
  readonly availability: Availability;
  readonly slotIntents: Pick<SlotIntents, 'isTooSlow'>;
  readonly kvstore: Pick<Kvstore, 'reachable'>;
}

/** Waits until slots are there that a first start sets, within reason. */
export async function settled(book: SlotBook): Promise<void> {
  await Promise.race([book.settle(), after(LONGEST_WAIT_MS)]);
}

/** The slots as they are now, and who of each would answer. */
export async function viewSlots({
  book,
  availability,
  slotIntents,
}: Slots): Promise<z.output<ReturnType<typeof slotsView>>> {
  await settled(book);
  const view = book.view();
  const shown = async (name: SlotName) => {
    const set = view.slots[name];
    if (!set) return null;
    const tooSlow = name === 'classification' && slotIntents.isTooSlow(set);
    const { active, ...status } = tooSlow
      ? { state: 'down', reason: TOO_SLOW, active: undefined }
      : await availability.statusOf(name);
    return {
      ...labelled(set),
      fallbacks: set.fallbacks.map(labelled),
      status: active ? { ...status, active: labelled(active) } : status,
    };
  };
  const entries = await Promise.all(slotNames.map(async (name) => [name, await shown(name)] as const));
  return { slots: slotTable().parse(Object.fromEntries(entries)), strategy: view.strategy };
}

/** As they were at a moment. */
export async function slotsAt(
  { kvstore }: Slots,
  at: number,
): Promise<z.output<ReturnType<typeof slotsView>>> {
  const { store } = kvstore.reachable();
  const { slots, strategy } = await viewAtTime(store, slotsChosen, { streams: [slotsStream()] }, at);
  const entries = slotNames.map((name) => {
    const { [name]: set } = slots;
    return [name, set ? { ...labelled(set), fallbacks: set.fallbacks.map(labelled) } : null] as const;
  });
  return { slots: slotTable().parse(Object.fromEntries(entries)), strategy };
}

function labelled<Model extends { readonly provider: ProviderId }>(model: Model) {
  return { ...model, label: labelOf(model.provider) };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
