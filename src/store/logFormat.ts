import { randomUUID } from 'node:crypto';
import { HarkError } from '../errors.ts';
import type { EventDefinition } from '../events/definition.ts';
import type { StoreAdapter } from './adapter.ts';

const EVENT_PREFIX = 'event:';

/**
 * A log says which event shapes were ever declared to it. One that knows a shape newer than this version of
 * hark does is refused, because reading it would silently leave things out; else the log learns ours.
 */
export async function refuseNewer(adapter: StoreAdapter, catalog: readonly EventDefinition[]): Promise<void> {
  const meta = await adapter.readMeta();
  const known = new Map(catalog.map(({ type, version }) => [type, version]));
  for (const [name, value] of Object.entries(meta)) {
    if (!name.startsWith(EVENT_PREFIX)) continue;
    const type = name.slice(EVENT_PREFIX.length);
    const version = known.get(type);
    if (version === undefined || version < Number(value))
      throw new HarkError('LOG_NEWER', {
        message:
          `The log holds ${type} in version ${value}; this hark knows ${version ?? 'none'}. ` +
          'Start it with the newer version that wrote it',
      });
  }
  const unsaid = catalog.filter(({ type, version }) => meta[EVENT_PREFIX + type] !== String(version));
  const entries = Object.fromEntries(
    unsaid.map(({ type, version }) => [EVENT_PREFIX + type, String(version)]),
  );
  if (!meta.logId) entries.logId = randomUUID();
  if (Object.keys(entries).length > 0) await adapter.writeMeta(entries);
}
