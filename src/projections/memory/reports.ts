import { type CompletedSweep, MOST_REPORTS, REPORTS_KEPT_MS } from '../../events/maintenance.ts';
import type { MemoryEvent } from '../../events/memory.ts';

export interface Reports {
  /** Of sweeps that came to their end, the oldest first. */
  reports: readonly CompletedSweep[];
}

/** What an event means for the reports of sweeps. Changes them in place; other events mean nothing here. */
export function applyToReports(state: Reports, event: MemoryEvent, at: number): void {
  if (event.type === 'memory.erased') state.reports = [];
  if (event.type !== 'memory.maintenance.completed') return;
  const kept = [...state.reports, event.data].filter(({ timestamp }) => at - timestamp < REPORTS_KEPT_MS);
  state.reports = kept.slice(-MOST_REPORTS);
}

/** Those that are still shown at a moment. */
export function reportsAt({ reports }: Reports, now: number): readonly CompletedSweep[] {
  return reports.filter(({ timestamp }) => now - timestamp < REPORTS_KEPT_MS);
}
