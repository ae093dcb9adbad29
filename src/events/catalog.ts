import { captureEvents } from './capture.ts';
import { chatEvents } from './chat.ts';
import { credentialEvents } from './credentials.ts';
import type { EventDefinition } from './definition.ts';
import { deviceEvents } from './devices.ts';
import { entityEvents } from './entities.ts';
import { memoryEvents } from './memory.ts';
import { modelEvents } from './models.ts';
import { notificationEvents } from './notifications.ts';
import { providerEvents } from './providers.ts';
import { schedulerEvents } from './scheduler.ts';
import { settingsEvents } from './settings.ts';
import { systemEvents } from './system.ts';
import { toolServerEvents } from './tools.ts';
import { webhookEvents } from './webhooks.ts';
import { workflowEvents } from './workflows.ts';

/** Every kind of event this version writes or reads. */
export const eventCatalog: readonly EventDefinition[] = [
  ...captureEvents,
  ...chatEvents,
  ...credentialEvents,
  ...deviceEvents,
  ...entityEvents,
  ...memoryEvents,
  ...modelEvents,
  ...notificationEvents,
  ...providerEvents,
  ...schedulerEvents,
  ...settingsEvents,
  ...systemEvents,
  ...toolServerEvents,
  ...webhookEvents,
  ...workflowEvents,
];
