import type { Conclusion } from '../../folds/memory/conclusion.ts';
import { factKey } from '../../language/sameFact.ts';
import { stemsOf } from '../../language/words.ts';

/** What a finding or a belief says. */
export interface Told extends Pick<Conclusion, 'text' | 'about' | 'value' | 'negated'> {
  /** What it says was wrong: "not Jon but John". */
  readonly replaces?: string;
}

/**
 * Of which beliefs a later word takes the place: of whatever was said of the same, when it says what is so; of that
 * alone, when it says what is not, or no longer, so; and of what it names as wrong, by whatever name that was kept.
 */
export function takingPlaceOf(later: Told): (known: Told) => boolean {
  const { text, about, value, negated = false, replaces } = later;
  const wrong =
    replaces !== undefined && text && value
      ? factKey(text.replace(value, replaces))
      : negated && text
        ? factKey(text.replace(/\b(is )?no longer /, '$1'))
        : undefined;
  return (known) => {
    const isOfSame = about !== null && about === known.about;
    if (isOfSame && !(negated && isOnlyOtherValue(later, known))) return true;
    if (known.negated === true) return false;
    if (known.about === null) return wrong !== undefined && keyOf(known) === wrong;
    const isOfKind = about !== null && areaOf(about) === areaOf(known.about);
    return isOfKind && replaces !== undefined && isSameValue(replaces, known.value);
  };
}

/** That one thing is not so says nothing against another, though both are about the same. */
export function isOnlyOtherValue(one: Told, other: Told): boolean {
  if ((one.negated ?? false) === (other.negated ?? false))
    return one.negated === true && !isSameValue(one.value, other.value);
  return one.value != null && other.value != null && !isSameValue(one.value, other.value);
}

export function isSameFact(one: Told, other: Told): boolean {
  return one.text !== null && other.text !== null && keyOf(one) === keyOf(other);
}

/** A belief is compared with everything that is found, and there may be thousands of them. */
const keys = new WeakMap<Told, { readonly text: string | null; readonly key: string }>();

function keyOf(one: Told): string {
  const kept = keys.get(one);
  if (kept && kept.text === one.text) return kept.key;
  const key = factKey(one.text ?? '');
  keys.set(one, { text: one.text, key });
  return key;
}

/** What is of one kind: `allergy.nut` and `allergy.shellfish`. */
function areaOf(about: string): string {
  return about.split('.', 1)[0] ?? about;
}

/** The same words, or more of them: "Bosch" and "Bosch in Stuttgart". */
function isSameValue(one: string | null | undefined, other: string | null | undefined): boolean {
  if (one == null || other == null) return false;
  const [first, second] = [new Set(stemsOf(one)), new Set(stemsOf(other))];
  if (first.size === 0 || second.size === 0) return factKey(one) === factKey(other);
  return first.isSubsetOf(second) || second.isSubsetOf(first);
}
