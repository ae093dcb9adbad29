import { capturing } from './capture/capturing.ts';
import { openSessions } from './chat/openSessions.ts';
import { devices } from './devices/devices.ts';
import { sweptUsers } from './maintenance/sweptUsers.ts';
import { endedConversations } from './memory/endedConversations.ts';
import { nextExpiries } from './memory/nextExpiries.ts';
import { pendingDeliveries } from './notifications/pending.ts';
import type { Projection } from './projection.ts';
import { billing } from './providers/billing.ts';
import { catalogs } from './providers/catalogs.ts';
import { condition } from './providers/condition.ts';
import { slots } from './providers/slots.ts';
import { spend } from './providers/spend.ts';
import { tasks } from './scheduler/tasks.ts';
import { runtimeValues } from './settings/runtimeValues.ts';
import { instances } from './system/instances.ts';
import { setup } from './system/setup.ts';
import { webhooks } from './webhooks/webhooks.ts';
import { lastExecutions } from './workflows/lastExecutions.ts';
import { openExecutions } from './workflows/openExecutions.ts';

/** Every projection that a running service keeps current. */
export const projections: readonly Projection<unknown>[] = [
  openSessions,
  nextExpiries,
  endedConversations,
  sweptUsers,
  billing,
  catalogs,
  condition,
  slots,
  spend,
  tasks,
  runtimeValues,
  instances,
  setup,
  webhooks,
  pendingDeliveries,
  capturing,
  openExecutions,
  lastExecutions,
  devices,
];
