import { z } from 'zod';
import type { SlotIntents } from '../application/chat/slotIntents.ts';
import { type Availability, reasons } from '../application/providers/availability.ts';
import type { SlotBook } from '../application/providers/slotBook.ts';
import { type ProviderId, providerIds, type SlotName, slotNames, strategies } from '../vocabulary.ts';
import { labelOf, providerLabel } from './providerNaming.ts';

/** A first start has slots once the catalogs have come; who asks sooner waits no longer than this. */
const LONGEST_WAIT_MS = 2_000;

/** Of `classification`: the built-in classifier decides in its place. */
const TOO_SLOW = 'too slow';

const modelRef = z.object({ provider: z.enum(providerIds), label: providerLabel, model: z.string() });

const slot = modelRef.extend({
  fallbacks: z.array(modelRef).readonly(),
  status: z
    .object({
      state: z.enum(['up', 'fallback', 'down']),
      reason: z
        .enum([...reasons, TOO_SLOW])
        .optional()
        .describe('Why the first model is down'),
      active: modelRef.optional().describe('Who answers in its place'),
    })
    .readonly(),
});

/** Every slot by name; null for one that is not set. */
export const slotTable = z.record(z.enum(slotNames), slot.nullable());

export const slotsView = z.object({ slots: slotTable, strategy: z.enum(strategies) });

export interface Slots {
  readonly book: SlotBook;
  readonly availability: Availability;
  readonly slotIntents: Pick<SlotIntents, 'isTooSlow'>;
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
}: Slots): Promise<z.output<typeof slotsView>> {
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
  return { slots: slotTable.parse(Object.fromEntries(entries)), strategy: view.strategy };
}

function labelled<Model extends { readonly provider: ProviderId }>(model: Model) {
  return { ...model, label: labelOf(model.provider) };
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
