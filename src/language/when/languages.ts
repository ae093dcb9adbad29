import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { spanish } from './spanish.ts';
import type { Vocabulary } from './vocabulary.ts';

/** How somebody writes times. */
export interface TimeStyle {
  /** Codes as in BCP 47, the most likely first. English is always understood. */
  readonly languages: readonly string[];
  /** 3/4 is the fourth of March. */
  readonly monthFirst: boolean;
  /** An hour that may be one of the morning or of the evening is one of the morning. */
  readonly isOfMorning?: boolean;
}

const vocabularies: Readonly<Record<string, Vocabulary>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
};

export function languagesOf({ languages }: TimeStyle): readonly Vocabulary[] {
  const codes = new Set([...languages.map((one) => one.slice(0, 2).toLowerCase()), 'en']);
  return [...codes].flatMap(
    (code) => (Object.hasOwn(vocabularies, code) ? vocabularies[code] : undefined) ?? [],
  );
}

/** Made of a language once, and then kept: their patterns are long. */
export function rulesOf<Rules>(make: (vocabulary: Vocabulary, monthFirst: boolean) => Rules) {
  const made = new Map<Vocabulary, Map<boolean, Rules>>();
  return (vocabulary: Vocabulary, monthFirst: boolean): Rules => {
    const known = made.get(vocabulary) ?? new Map<boolean, Rules>();
    const rules = known.get(monthFirst) ?? make(vocabulary, monthFirst);
    made.set(vocabulary, known.set(monthFirst, rules));
    return rules;
  };
}

/** What the first language makes of it that understands it; else what the first that understood some of it objects to. */
export function readWith<Read extends object>(
  languages: readonly Vocabulary[],
  read: (vocabulary: Vocabulary) => Read | { readonly problem: string } | undefined,
): Read | { readonly problem: string } | undefined {
  let problem: { readonly problem: string } | undefined;
  for (const vocabulary of languages) {
    const found = read(vocabulary);
    if (found === undefined) continue;
    if (!('problem' in found)) return found;
    problem ??= { problem: String(found.problem) };
  }
  return problem;
}
