import { useState } from 'preact/hooks';

/** What was changed, without what of it was sent like that: what was changed since then is still to be saved. */
export function unsent<Fields extends object>(changed: Fields, sent: Fields): Fields {
  const known = new Map(Object.entries(sent));
  return Object.fromEntries(
    Object.entries(changed).filter(([name, value]) => known.get(name) !== value),
  ) as Fields;
}

/** What is known, and what was changed of it: that stands, whatever is read meanwhile, until it is saved. */
export function useDraft<Fields extends object>(known: Fields) {
  const [changed, change] = useState<Partial<Fields>>({});
  return {
    draft: { ...known, ...changed },
    isChanged: Object.keys(changed).length > 0,
    set: (fields: Partial<Fields>) => change((before) => ({ ...before, ...fields })),
    saved: (sent: Partial<Fields>) => change((all) => unsent(all, sent)),
  };
}
