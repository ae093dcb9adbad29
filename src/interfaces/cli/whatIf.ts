import { z } from 'zod';
import { Pace } from '../../application/maintenance/pace.ts';
import { memoryToSweep, previewSweep } from '../../application/maintenance/preview.ts';
import { type OtherThresholds, otherwise, thresholdsIn } from '../../application/maintenance/thresholds.ts';
import { readConfig } from '../../config.ts';
import type { MaintenanceReport } from '../../projections/memory/sweepReport.ts';
import { viewAt } from '../../projections/runtime.ts';
import { effectiveSettings, runtimeValues } from '../../projections/settings/runtimeValues.ts';
import type { EventReader, Position, Snapshots } from '../../store/port.ts';
import { wrongUsage } from './failure.ts';

const number = z
  .string()
  .regex(/^(\d+(\.\d+)?|\.\d+)$/)
  .transform(Number);
const share = number.pipe(z.number().max(1));
const thresholds = z.strictObject({
  prune: share.optional(),
  stale: number.optional(),
  decay: share.optional(),
  similarity: share.pipe(z.number().min(0.5)).optional(),
  orphan: number.pipe(z.number().max(10)).optional(),
});

export const whatIfForm = 'prune=0.5,stale=30,decay=0.8,similarity=0.9,orphan=2, any of them';

/** Throws where it is not in that form. */
export function parseWhatIf(text: string): OtherThresholds {
  const parts = text.split(',').map((part) => /^\s*(\w+)=([\d.]+)\s*$/.exec(part));
  const given = Object.fromEntries(parts.map((part) => [part?.[1] ?? '', part?.[2]]));
  const parsed = thresholds.safeParse(given);
  if (!parsed.success) throw wrongUsage(`--what-if: is ${whatIfForm}`);
  return parsed.data;
}

interface Then {
  readonly position: Position;
  readonly at: number;
}

/** What a sweep would have done then with other thresholds; the others as they were set then. */
export async function sweepAsIf(
  store: EventReader & Snapshots,
  { position, at }: Then,
  userId: string,
  other: OtherThresholds,
): Promise<MaintenanceReport> {
  // Other variables may be wrong here without harm.
  const named = Object.entries(process.env).filter(([name]) => name.startsWith('SERVICE_MEMORY_'));
  const set = effectiveSettings(
    readConfig(Object.fromEntries(named)),
    await viewAt(store, runtimeValues, position),
  );
  const usual = thresholdsIn((key) => Number(set[key]?.value));
  const memory = await memoryToSweep(store, userId, { position });
  return previewSweep(memory, otherwise(usual, other), at, new Pace());
}
