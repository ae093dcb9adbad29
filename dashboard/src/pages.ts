import type { ComponentType } from 'preact';
import { loadedPart } from './api/loaded.ts';
import type { ShellWords } from './words/shell.en.ts';

type PageName = keyof ShellWords['names'];
type Group = keyof ShellWords['groups'];

interface PageEntry {
  readonly name: PageName;
  readonly group: Group;
  /** Where it stands in the menu. */
  readonly path: string;
  /** Other addresses of it, with `:name` for what varies. */
  readonly also: readonly string[];
  readonly component: ComponentType;
}

/** Each page, in the order of the menu. The first is loaded by itself, the others with what comes later. */
export const pages: readonly PageEntry[] = [
  ...group('talk', async () => ({ chat: (await import('./pages/chat/chat.tsx')).default }), [
    ['chat', '/', '/chat/:sessionId'],
  ]),
  ...group('memory', () => import('./later.ts'), [
    ['memory', '/memory'],
    ['why', '/why', '/why/:id'],
    ['lastNight', '/last-night'],
    ['contradictions', '/contradictions'],
    ['entities', '/entities', '/entities/:id'],
  ]),
  ...group('doing', () => import('./later.ts'), [
    ['notifications', '/notifications'],
    ['schedules', '/schedules', '/schedules/:task'],
    ['workflows', '/workflows', '/workflows/:workflow'],
    ['webhooks', '/webhooks'],
    ['toolServers', '/tool-servers'],
  ]),
  ...group('running', () => import('./later.ts'), [
    ['providers', '/providers'],
    ['spend', '/spend'],
    ['models', '/models'],
    ['devices', '/devices'],
    ['capture', '/capture'],
    ['events', '/events'],
    ['settings', '/settings'],
    ['health', '/status'],
    ['setup', '/setup'],
  ]),
];

function group<Name extends PageName>(
  group: Group,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  entries: readonly (readonly [name: Name, path: string, ...also: string[]])[],
): readonly PageEntry[] {
  return entries.map(([name, path, ...also]) => ({
    name,
    group,
    path,
    also,
    component: loadedPart(async () => (await load())[name]),
  }));
}
