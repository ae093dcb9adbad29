import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import type { ShellWords } from './words/shell.en.ts';

type PageName = keyof ShellWords['names'];
export type Group = keyof ShellWords['groups'];

interface PageEntry {
  readonly name: PageName;
  readonly group: Group;
  /** Where it stands in the menu. */
  readonly path: string;
  /** Other addresses of it, with `:name` for what varies. */
  readonly also?: readonly string[];
  readonly component: ComponentType;
}

/** Each page, in the order of the menu. It is loaded when somebody goes there. */
export const pages: readonly PageEntry[] = [
  page('chat', 'talk', '/', () => import('./pages/chat/chat.tsx'), ['/chat/:sessionId']),
  page('memory', 'memory', '/memory', () => import('./pages/memory/memory.tsx')),
  page('why', 'memory', '/why', () => import('./pages/why/why.tsx'), ['/why/:id']),
  page('lastNight', 'memory', '/last-night', () => import('./pages/lastNight/lastNight.tsx')),
  page(
    'contradictions',
    'memory',
    '/contradictions',
    () => import('./pages/contradictions/contradictions.tsx'),
  ),
  page('entities', 'memory', '/entities', () => import('./pages/entities/entities.tsx'), ['/entities/:id']),
  page('notifications', 'doing', '/notifications', () => import('./pages/notifications/notifications.tsx')),
  page('schedules', 'doing', '/schedules', () => import('./pages/schedules/schedules.tsx'), [
    '/schedules/:task',
  ]),
  page('workflows', 'doing', '/workflows', () => import('./pages/workflows/workflows.tsx'), [
    '/workflows/:workflow',
  ]),
  page('webhooks', 'doing', '/webhooks', () => import('./pages/webhooks/webhooks.tsx')),
  page('toolServers', 'doing', '/tool-servers', () => import('./pages/toolServers/toolServers.tsx')),
  page('providers', 'running', '/providers', () => import('./pages/providers/providers.tsx')),
  page('spend', 'running', '/spend', () => import('./pages/spend/spend.tsx')),
  page('models', 'running', '/models', () => import('./pages/models/models.tsx')),
  page('devices', 'running', '/devices', () => import('./pages/devices/devices.tsx')),
  page('capture', 'running', '/capture', () => import('./pages/capture/capture.tsx')),
  page('events', 'running', '/events', () => import('./pages/events/events.tsx')),
  page('settings', 'running', '/settings', () => import('./pages/settings/settings.tsx')),
  page('health', 'running', '/status', () => import('./pages/health/health.tsx')),
  page('setup', 'running', '/setup', () => import('./pages/setup/setup.tsx')),
];

function page(
  name: PageName,
  group: Group,
  path: string,
  load: () => Promise<{ readonly default: ComponentType }>,
  also: readonly string[] = [],
): PageEntry {
  return { name, group, path, also, component: lazy(load) };
}
