import { useMemo } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { asItWas } from '../../state/moment.ts';

/** By id, what conclusions say and what episodes are about. */
export type Texts = ReadonlyMap<string, string>;

/** A report names ids alone: what they say is read beside it, and what is not there any more was erased. */
export function useTexts(): Texts {
  const active = useResource('GET /api/memory/conclusions', { status: 'active', ...asItWas() });
  const pruned = useResource('GET /api/memory/conclusions', { status: 'pruned', ...asItWas() });
  const merged = useResource('GET /api/memory/conclusions', { status: 'merged', ...asItWas() });
  const episodes = useResource('GET /api/memory/episodes', { limit: 100 });
  const all = [active, pruned, merged].map(({ data }) => data.value?.conclusions);
  const { value: told } = episodes.data;
  return useMemo(
    () =>
      new Map([
        ...all.flatMap((some = []) => some.map(({ id, text }) => [id, text] as const)),
        ...(told?.episodes ?? []).map(({ id, summary }) => [id, summary] as const),
      ]),
    [...all, told],
  );
}
