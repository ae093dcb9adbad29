/** An id may be any word that a caller writes, `constructor` among them, which every object knows. */
export function entryOf<Entry>(entries: Readonly<Record<string, Entry>>, id: string): Entry | undefined {
  return Object.hasOwn(entries, id) ? entries[id] : undefined;
}
