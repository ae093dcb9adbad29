import { entryOf } from '../../entryOf.ts';
import type { Conclusion } from '../../folds/memory/conclusion.ts';
import { stemsOf } from '../../language/words.ts';
import type { Passage } from '../../projections/memory/index/documents.ts';
import type { Remembered } from '../../projections/memory/remembered.ts';

/** How much of what a conclusion says stands in words that say it too, where its value is not known. */
const MOST_OF_IT = 0.75;

/** What is believed in the place of a conclusion now; undefined where nothing is any more. */
export function successorOf(
  conclusions: Remembered['conclusions'],
  conclusion: Conclusion,
): Conclusion | undefined {
  const passed = new Set<string>();
  let known: Conclusion | undefined = conclusion;
  while (known && known.status !== 'active' && !passed.has(known.id)) {
    passed.add(known.id);
    known = known.supersededBy === null ? undefined : entryOf(conclusions, known.supersededBy);
  }
  return known?.status === 'active' ? known : undefined;
}

/** By passage, a word that what it says is not so any more. What was said stays said: one may ask what was before. */
export function noLongerSo(memory: Remembered, passages: readonly Passage[]): ReadonlyMap<Passage, string> {
  const outdated = supersededIn(memory, new Set(passages.map(({ episodeId }) => episodeId)));
  const remarks = new Map<Passage, string>();
  if (outdated.size === 0) return remarks;
  for (const passage of passages) {
    const stems = new Set(stemsOf(passage.text));
    for (const conclusion of outdated.get(passage.episodeId) ?? []) {
      if (!isSaidIn(stems, conclusion)) continue;
      const now = successorOf(memory.conclusions, conclusion);
      // Who says "from Bremen to Oslo" says both.
      if (now && now.negated !== true && now.value != null && isSaidIn(stems, now)) continue;
      remarks.set(passage, now?.text == null ? 'No longer so' : `No longer so: ${now.text}`);
    }
  }
  return remarks;
}

/** By episode, what was concluded from it until a later word took its place. */
function supersededIn(
  { conclusions, absorbed }: Remembered,
  episodes: ReadonlySet<string>,
): ReadonlyMap<string, readonly Conclusion[]> {
  const found = new Map<string, Conclusion[]>();
  for (const conclusion of Object.values(conclusions)) {
    const { id, status, supersededBy, sources } = conclusion;
    if (status !== 'merged' || supersededBy === null) continue;
    // What was merged into another says the same.
    if (entryOf(entryOf(absorbed, supersededBy)?.others ?? {}, id)) continue;
    for (const source of sources)
      if (episodes.has(source)) found.set(source, [...(found.get(source) ?? []), conclusion]);
  }
  return found;
}

function isSaidIn(said: ReadonlySet<string>, { text, value }: Conclusion): boolean {
  const wanted = stemsOf(value ?? text ?? '').filter((stem) => stem !== 'user');
  if (wanted.length === 0) return false;
  const shared = wanted.filter((stem) => said.has(stem)).length;
  return shared / wanted.length >= (value == null ? MOST_OF_IT : 1);
}
