import { candidatesOf, type NameCandidate } from './names/candidates.ts';
import { kindOf } from './names/kinds.ts';
import { type PlacedName, type Relation, relationsIn } from './names/relationships.ts';
import { type Kind, tagsOf } from './names/tagger.ts';
import { evidentWords } from './requests.ts';
import { sentencesOf } from './sentences.ts';
import { ownUntil } from './statements/fiction.ts';

/** Something with a name. */
export interface NamedEntity {
  readonly name: string;
  readonly type: Kind;
  /** Other forms in which it was named: with a title, by the first name alone. */
  readonly aliases: readonly string[];
  readonly mentions: number;
  readonly confidence: number;
}

export interface NamesFound {
  readonly entities: readonly NamedEntity[];
  /** `from` and `to` are names of entities; `user` is whoever speaks. */
  readonly relationships: readonly Relation[];
}

interface Sighting extends PlacedName {
  readonly shown: string;
  readonly confidence: number;
}

const LONGEST_TEXT = 20_000;
const LONGEST_SENTENCE = 600;
const MOST_ENTITIES = 100;

/** People, places, organizations, events and things that texts of one conversation name, and how they belong together. */
export function namesIn(texts: readonly string[]): NamesFound {
  const sightings: Sighting[] = [];
  const relations: Relation[] = [];
  for (const text of texts) {
    let last: string | undefined;
    const known = new Map<string, readonly Sighting[]>();
    for (const sentence of proseOf(text)) {
      const seen = known.get(sentence) ?? inSentence(sentence);
      known.set(sentence, seen);
      sightings.push(...seen);
      relations.push(...relationsIn(sentence, seen, last));
      last = seen.findLast(({ kind }) => kind === 'person')?.name ?? last;
    }
  }
  return gathered(sightings, relations);
}

function proseOf(text: string): readonly string[] {
  const shortened = text.slice(0, LONGEST_TEXT);
  const own = evidentWords(shortened).slice(0, ownUntil(shortened));
  return sentencesOf(own).flatMap(({ text: sentence }) =>
    sentence.length <= LONGEST_SENTENCE ? [sentence] : [],
  );
}

function inSentence(sentence: string): readonly Sighting[] {
  const candidates = candidatesOf(sentence);
  if (candidates.length === 0) return [];
  const tags = tagsOf(sentence);
  return candidates.flatMap((candidate) => {
    const judged = kindOf(candidate, sentence, tags);
    return judged ? [sighting(candidate, judged)] : [];
  });
}

function sighting(
  { name, title, start, end }: NameCandidate,
  { kind, confidence }: { kind: Kind; confidence: number },
): Sighting {
  return { name, kind, start, end, confidence, shown: title ? `${title} ${name}` : name };
}

/** The same under its longest name. */
function gathered(sightings: readonly Sighting[], relations: readonly Relation[]): NamesFound {
  const groups = new Map<string, Sighting[]>();
  for (const one of sightings.toSorted((a, b) => b.name.length - a.name.length)) {
    const same = groups.get(keyOf(one));
    if (same) {
      same.push(one);
      continue;
    }
    const known = Array.from(groups.values(), ([first]) => first).filter((first) => first !== undefined);
    const key = keyFor(one, known);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  const nameOf = new Map<string, string>();
  const entities = Array.from(groups.values()).flatMap((group): NamedEntity[] => {
    const [first] = group;
    if (!first) return [];
    const shown = new Set(group.flatMap(({ name, shown: as }) => [name, as]));
    for (const { name, kind } of group) nameOf.set(`${kind} ${name}`, first.name);
    shown.delete(first.name);
    const confidence = Math.max(...group.map((one) => one.confidence));
    return [{ name: first.name, type: first.kind, aliases: [...shown], mentions: group.length, confidence }];
  });
  const all = (name: string) =>
    (['person', 'organization', 'place', 'thing', 'event'] as const)
      .map((kind) => nameOf.get(`${kind} ${name}`))
      .find((found) => found !== undefined) ?? name;
  const distinct = new Map(
    relations.map((one) => [
      `${all(one.from)} ${one.type} ${all(one.to)}`,
      { ...one, from: all(one.from), to: all(one.to) },
    ]),
  );
  return { entities: entities.slice(0, MOST_ENTITIES), relationships: [...distinct.values()] };
}

/** "Anna" is Anna Keller when only one of that name is there; "Acme" is Acme Corp. */
function keyFor(one: Sighting, known: readonly Sighting[]): string {
  const exact = known.find(
    ({ name, kind }) => kind === one.kind && name.toLowerCase() === one.name.toLowerCase(),
  );
  if (exact) return keyOf(exact);
  const longer = known.filter(({ name, kind }) => kind === one.kind && isPartOf(one.name, name, kind));
  const [only] = longer;
  return only && longer.length === 1 ? keyOf(only) : keyOf(one);
}

function keyOf({ kind, name }: PlacedName): string {
  return `${kind} ${name.toLowerCase()}`;
}

function isPartOf(short: string, long: string, kind: Kind): boolean {
  const words = long.split(' ');
  if (kind === 'person') return words.length > 1 && (words[0] === short || words.at(-1) === short);
  return kind === 'organization' && words.length > 1 && (words[0] === short || initials(words) === short);
}

function initials(words: readonly string[]): string {
  return words.flatMap((word) => (/^\p{Lu}/u.test(word) ? [word[0]] : [])).join('');
}
