import nlp from 'compromise';

export type Kind = 'person' | 'place' | 'organization' | 'event' | 'thing';

/** What a dictionary of names says of the words of a sentence, by where they begin. */
export type Tags = ReadonlyMap<number, ReadonlySet<string>>;

interface TaggedTerm {
  readonly tags?: readonly string[];
  readonly offset?: { readonly start: number };
}

interface TaggedSentence {
  readonly terms?: readonly TaggedTerm[];
}

const LONGEST = 600;

/** Heavy: the module takes 200 ms to load, a sentence some tenths of one. For the worker thread alone. */
export function tagsOf(sentence: string): Tags {
  const sentences: readonly TaggedSentence[] = nlp(sentence.slice(0, LONGEST)).json({
    offset: true,
    terms: { offset: true, tags: true },
  });
  const terms = sentences.flatMap(({ terms = [] }) => terms);
  return new Map(
    terms.flatMap(({ tags = [], offset }) => (offset ? [[offset.start, new Set(tags)] as const] : [])),
  );
}
