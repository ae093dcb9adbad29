/** What the files of a layer may import. Paths are below `src`: a folder with all in it, or one file. */
export interface Layer {
  readonly imports: readonly string[];
  /** Only by `import type`. */
  readonly types: readonly string[];
  readonly packages: readonly string[];
  readonly packageTypes: readonly string[];
  readonly node: boolean;
}

const storePort = ['store/port.ts', 'store/storedEvent.ts'];

const nothing: Layer = { imports: [], types: [], packages: [], packageTypes: [], node: true };
const everything: Layer = { ...nothing, imports: ['*'], packages: ['*'] };

/** The table of docs/architecture: a layer is a folder of `src`, or a file that lies directly in it. */
export const layers: Readonly<Record<string, Layer>> = {
  events: { ...nothing, packages: ['zod'], node: false },
  store: { ...nothing, imports: ['events'], packages: ['ioredis', 'zod'] },
  commands: { ...nothing, imports: ['events', 'config.ts'], types: storePort },
  projections: { ...nothing, imports: ['events', 'config.ts'], types: storePort },
  gateways: { ...nothing, types: ['config.ts'], packages: ['zod'], packageTypes: ['pino'] },
  sagas: {
    ...nothing,
    imports: ['events', 'commands', 'projections'],
    types: ['config.ts', 'gateways', ...storePort],
    packages: ['mitt'],
    packageTypes: ['pino'],
  },
  interfaces: {
    ...nothing,
    imports: ['commands', 'projections', 'sagas', 'store/open.ts'],
    types: ['config.ts', ...storePort],
    packages: ['commander', 'fastify', 'mitt', 'zod'],
    packageTypes: ['pino'],
  },
  'errors.ts': nothing,
  'clock.ts': nothing,
  'ids.ts': nothing,
  'config.ts': { ...nothing, packages: ['zod'] },
  'backbone.ts': everything,
  'main.ts': everything,
};

/** What every layer may import. */
export const common: readonly string[] = ['errors.ts', 'clock.ts', 'ids.ts'];

export const areas: ReadonlySet<string> = new Set([
  'chat',
  'memory',
  'entities',
  'maintenance',
  'scheduler',
  'workflows',
  'devices',
  'capture',
  'credentials',
  'providers',
  'voice',
  'settings',
  'system',
]);

/** Folders divided into areas: each sub-folder is one, and so is a file that has an area's name. */
export const dividedFolders = ['commands', 'projections', 'sagas', 'interfaces/operations'];

/** What an area may use of another: what happened there, what is there, and from a saga what may happen there. */
export function mayCross(from: string, to: string): boolean {
  return to.startsWith('projections/')
    ? !from.startsWith('commands/')
    : from.startsWith('sagas/') && to.startsWith('commands/');
}
