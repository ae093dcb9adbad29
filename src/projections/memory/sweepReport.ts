import { isEvent } from '../../events/definition.ts';
import { type CompletedSweep, maintenanceCompleted } from '../../events/maintenance.ts';
import { type MemoryEvent, memoryStream, readMemoryEvent } from '../../events/memory.ts';
import type { EventReader } from '../../store/port.ts';
import { describeChange, type SweptChange } from './sweptChanges.ts';

/** A report is for somebody to read; what is beyond this is in the log. */
export const MOST_ISSUES = 5_000;

export type MaintenanceReport = Omit<CompletedSweep, 'sweepId' | 'firstVersion'> & {
  readonly issues: readonly SweptChange[];
};

/** How whoever reads long lets others in between. */
interface Pauses {
  hasTime(): boolean;
  pause(): Promise<void>;
}

/** The first report at this place of a user's stream or after it, without its changes. */
export async function firstReportFrom(
  store: EventReader,
  userId: string,
  fromVersion: number,
): Promise<CompletedSweep | undefined> {
  for await (const events of store.readStream(memoryStream(userId), { fromVersion, firstPage: 1 }))
    for (const event of events) if (isEvent(event, maintenanceCompleted)) return event.data;
  return undefined;
}

/** The report of a sweep with all its changes, as the log has them. */
export async function reportOf(
  store: EventReader,
  userId: string,
  completed: CompletedSweep,
  pace: Pauses,
): Promise<MaintenanceReport> {
  const { sweepId: _sweepId, firstVersion: _firstVersion, ...figures } = completed;
  const issues: SweptChange[] = [];
  for await (const event of changesOf(store, userId, completed, pace)) {
    const change = describeChange(event);
    if (change) issues.push(change);
    if (issues.length === MOST_ISSUES) break;
  }
  return { ...figures, issues };
}

/** What a sweep did, event by event. */
export async function* changesOf(
  store: EventReader,
  userId: string,
  { sweepId, firstVersion }: CompletedSweep,
  pace: Pauses,
): AsyncGenerator<MemoryEvent> {
  for await (const events of store.readStream(memoryStream(userId), { fromVersion: firstVersion })) {
    for (const stored of events) {
      if (!pace.hasTime()) await pace.pause();
      const event = readMemoryEvent(stored);
      if (!event || !('sweepId' in event.data) || event.data.sweepId !== sweepId) continue;
      if (event.type === maintenanceCompleted.type) return;
      yield event;
    }
  }
}
