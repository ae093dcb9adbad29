import type { Projection } from '../../../projections/projection.ts';
import { viewAt } from '../../../projections/runtime.ts';
import type { EventReader, Position, Snapshots } from '../../../store/port.ts';
import type { StoredEvent } from '../../../store/storedEvent.ts';
import { showTime } from '../output.ts';

/** What one thing looked like. Fields that end in `At` are times. */
export type Fields = Readonly<Record<string, unknown>>;
export type ShownEntries = ReadonlyMap<string, Fields>;

/** A kind of state that can be shown as it was at any position, and compared with another. */
export interface Shown {
  readonly name: string;
  readonly about: string;
  /** What the key of an entry is called. */
  readonly key: string;
  readonly handles: readonly string[];
  entriesAt(store: EventReader & Snapshots, until: Position, userId: string): Promise<ShownEntries>;
  /** The entries that an event has to do with: those that it may have changed. */
  keysOf(event: StoredEvent): readonly string[];
}

interface ShownOptions<State> {
  readonly name: string;
  readonly about: string;
  readonly key: string;
  readonly projection: Projection<State>;
  entries(state: State, userId: string): Iterable<readonly [key: string, fields: Fields]>;
  keysOf(event: StoredEvent): readonly string[];
}

export function defineShown<State>(options: ShownOptions<State>): Shown {
  const { name, about, key, projection, entries, keysOf } = options;
  return {
    name,
    about,
    key,
    handles: projection.handles.map(({ type }) => type),
    keysOf,
    async entriesAt(store, until, userId) {
      return new Map(entries(await viewAt(store, projection, until), userId));
    },
  };
}

export function showField(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' && name.endsWith('At')) return showTime(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** On one line: a lone value as it is, several by name. */
export function showFields(fields: Fields): string {
  const [first, ...others] = Object.entries(fields);
  if (first && others.length === 0) return showField(...first);
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${showField(name, value)}`)
    .join(', ');
}
