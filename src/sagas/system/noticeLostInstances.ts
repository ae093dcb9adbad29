import { recordLoss } from '../../commands/system/instances.ts';
import { instanceStarted } from '../../events/system.ts';
import type { Views } from '../../projections/runtime.ts';
import { type Instance, instances, runningInstances } from '../../projections/system/instances.ts';
import type { Deliveries, Leases } from '../../store/port.ts';
import { defineSaga, type Saga, TryAgainLater } from '../saga.ts';
import { INSTANCE_LEASE_MS, instanceLease, type SignOfLife } from './instanceLease.ts';

/** Whenever a process starts, finds those before it that ended without a word, and records that they did. */
export function noticeLostInstances(store: Deliveries & Leases, views: Views, own: SignOfLife): Saga {
  const waitedFor = new Set<string>();
  let lapsesHeeded = 0;
  return defineSaga({
    name: 'notice-lost-instances',
    on: [instanceStarted],
    key: () => 'instances',
    async react(event, { run }) {
      const { instanceId: starting } = event.data;
      const lapses = await own.lapses();
      if (lapses > lapsesHeeded) {
        lapsesHeeded = lapses;
        // What kept this process from showing that it lives kept others too: they get the time to show it.
        throw new TryAgainLater(INSTANCE_LEASE_MS);
      }
      let isAnyHeld = false;
      for (const { instanceId } of startedBefore(starting, runningInstances(views.view(instances)))) {
        const lease = await store.acquireLease(instanceLease(instanceId), starting, INSTANCE_LEASE_MS);
        isAnyHeld ||= !lease;
        if (!lease) continue;
        await run(recordLoss, { instanceId }, { step: instanceId });
        await store.releaseLease(lease);
      }
      // Killed a moment ago, its lease may still run. Held for longer than that, it is alive.
      if (isAnyHeld && !waitedFor.has(event.id)) {
        waitedFor.add(event.id);
        throw new TryAgainLater(INSTANCE_LEASE_MS + 1_000);
      }
      waitedFor.delete(event.id);
    },
  });
}

/** An event may be answered again after a crash: the process that answers it then is none of those before it. */
function startedBefore(starting: string, running: readonly Instance[]): readonly Instance[] {
  const itself = running.findIndex(({ instanceId }) => instanceId === starting);
  return running.slice(0, Math.max(itself, 0));
}
