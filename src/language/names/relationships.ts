import { piece, regExp } from '../../regExp.ts';
import { KIN, plainKin } from '../kin.ts';
import type { Kind } from './tagger.ts';

/** A name where it stands in a sentence. */
export interface PlacedName {
  readonly name: string;
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

export interface Relation {
  /** The name of an entity, or `USER`. */
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly confidence: number;
  readonly sentence: string;
}

/** Stands for whoever speaks. */
export const USER = 'user';

type Reads = readonly [type: string, cue: RegExp, from: readonly Kind[], to: readonly Kind[]];

/** What stands right before the second name, after the first. */
const cues: readonly Reads[] = [
  [
    'works_at',
    regExp('i')`
      \b(?:works?|working|worked|employed|job|teaches|consults|[a-z]+(?:ist|eer|er|or|ian|ant|ent)|nurse
      |surgeon|ceo|cto|interns?) (?:full-time |part-time )?(?:at|for|by) (?:the )?$`,
    ['person'],
    ['organization'],
  ],
  [
    'works_at',
    /\b(?:joined|started (?:a (?:new )?job |working )?at|got a job at|is the (?:ceo|cto|head|director) of) (?:the )?$/i,
    ['person'],
    ['organization'],
  ],
  [
    'studies_at',
    /\b(?:stud(?:y|ies|ied|ying)|is a student|enrolled|graduated)(?: [a-z]+){0,3} (?:at|from) (?:the )?$/i,
    ['person'],
    ['organization'],
  ],
  [
    'lives_in',
    /\b(?:lives?|living|lived|resides?|is based|am based|moved(?: from [^,.]{2,30}?)?|relocated) (?:back )?(?:in|to|near) (?:the )?$/i,
    ['person'],
    ['place'],
  ],
  [
    'from',
    /(?:\b(?:is|am|are|comes?) |['’](?:m|s|re) )(?:originally )?from (?:the )?$/i,
    ['person'],
    ['place'],
  ],
  [
    'married_to',
    /\b(?:is|am|are|got|was|['’]m|['’]s) (?:happily )?(?:married|engaged) to $|\bmarried $/i,
    ['person'],
    ['person'],
  ],
  [
    'founded',
    /\b(?:co-)?founded (?:a (?:company|startup|band) (?:called|named) )?(?:the )?$/i,
    ['person'],
    ['organization'],
  ],
  [
    'owns',
    /\b(?:acquired|bought|owns?|bought myself|drives?) (?:an? |the )?(?:new |used |old )?$/i,
    ['person', 'organization'],
    ['organization', 'thing'],
  ],
  [
    'located_in',
    /\b(?:is|are) (?:based|headquartered|located|situated)?\s?in (?:the )?$/i,
    ['organization', 'place', 'event'],
    ['place'],
  ],
  [
    'part_of',
    /\b(?:is (?:a )?(?:part|subsidiary|division|branch) of|belongs to|is owned by) (?:the )?$/i,
    ['organization', 'place', 'thing'],
    ['organization', 'place'],
  ],
  ['friend_of', /\b(?:is friends with|is a friend of) $/i, ['person'], ['person']],
];

const NAMED_AFTER =
  'sister|brother|mother|father|son|daughter|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|friend|colleague|neighbour|boss';
const KIN_WORD = piece`
  (?<kin>${KIN}|friend|colleague|coworker|neighbou?r|boss|manager|roommate|flatmate)`;
const OWNER = piece`
  (?:\b(?<mine>[Mm]y|[Oo]ur) |(?<other>(?<!\p{L})\p{Lu}[\p{L}'-]{1,40}(?: \p{Lu}\p{L}{1,40})?)
  (?:['’]s | and (?:his|her) ))(?:(?:best|older|younger|little|big|twin|dear|good|old|new|other|late|elder
  |close|former) )*`;
const RELATED = new RegExp(
  piece`
    ${OWNER}(?:${KIN_WORD}|(?<pet>dog|cat|puppy|kitten|hamster|rabbit|parrot|horse|bird|turtle|fish))
    (?:,? (?:is |was )?(?:named|called)|['’]s name is| is|,)? $`,
  'u',
);
const ADOPTED = regExp()`
  \b(?:I|[Ww]e)(?:['’]ve| have)?(?: just| recently)? (?:have|got|adopted|own|rescued) (?:an? |another )
  (?:[a-z]+ )?(?:dog|cat|puppy|kitten|hamster|rabbit|parrot|horse|bird|turtle) (?:named|called),? $`;

/** Relations that a sentence states; none of a question, a negation or a supposition. */
export function relationsIn(
  sentence: string,
  mentions: readonly PlacedName[],
  last: string | undefined,
): readonly Relation[] {
  if (
    /\?\s*$|\b(?:not|n['’]t|never|if|would|could|might|maybe|perhaps|wants? to|used to|imagine|pretend)\b|n['’]t\b/i.test(
      sentence,
    )
  )
    return [];
  const found = mentions.flatMap((mention, index) => [
    ...ofKin(sentence, mention, mentions),
    ...byCue(sentence, mention, mentions.slice(0, index), last),
  ]);
  return found.map((relation) => ({ ...relation, sentence }));
}

type Bare = Omit<Relation, 'sentence'>;

function ofKin(sentence: string, mention: PlacedName, mentions: readonly PlacedName[]): readonly Bare[] {
  const lead = sentence.slice(0, mention.start);
  if (mention.kind === 'thing' && ADOPTED.test(lead))
    return [{ from: USER, to: mention.name, type: 'owns', confidence: 0.9 }];
  const groups = RELATED.exec(lead)?.groups;
  if (!groups) return [];
  const owner = groups.mine
    ? USER
    : mentions.find(({ name, kind }) => kind === 'person' && name === groups.other)?.name;
  if (!owner) return [];
  if (groups.pet)
    return mention.kind === 'thing' ? [{ from: owner, to: mention.name, type: 'owns', confidence: 0.9 }] : [];
  if (mention.kind !== 'person') return [];
  return [{ from: mention.name, to: owner, type: typeOf(groups.kin ?? ''), confidence: 0.9 }];
}

function typeOf(kin: string): string {
  const same: Readonly<Record<string, string>> = {
    coworker: 'colleague',
    neighbor: 'neighbour',
    manager: 'boss',
    flatmate: 'roommate',
  };
  if (/^(?:wife|husband|spouse)$/.test(kin)) return 'married_to';
  if (/^(?:partner|fianc[eé]e?|girlfriend|boyfriend)$/.test(kin)) return 'partner_of';
  const word = same[kin] ?? plainKin(kin);
  return new RegExp(`^(?:${NAMED_AFTER}|roommate)$`).test(word) ? `${word}_of` : 'related_to';
}

function byCue(
  sentence: string,
  to: PlacedName,
  earlier: readonly PlacedName[],
  last: string | undefined,
): readonly Bare[] {
  for (const [type, cue, from, kinds] of cues) {
    if (!kinds.includes(to.kind)) continue;
    const lead = sentence.slice(0, to.start);
    const match = cue.exec(lead);
    if (!match) continue;
    const subject = subjectOf(lead.slice(0, match.index), earlier, from, last);
    if (subject && subject.name !== to.name)
      return [{ from: subject.name, to: to.name, type, confidence: subject.confidence }];
  }
  return [];
}

/** Who does it: the first of the clause, unless "I" or "she" stands nearer. */
function subjectOf(
  lead: string,
  earlier: readonly PlacedName[],
  kinds: readonly Kind[],
  last: string | undefined,
): { readonly name: string; readonly confidence: number } | undefined {
  const clause = Math.max(
    lead.lastIndexOf(';'),
    lead.search(
      /(?:,|\band|\bbut) (?:I|we|he|she|they|my)\b(?![\s\S]*(?:,|\band|\bbut) (?:I|we|he|she|they|my)\b)/i,
    ),
    0,
  );
  const piece = lead.slice(clause);
  const named = earlier.filter(({ start, kind }) => start >= clause && kinds.includes(kind));
  const [first] = named;
  if (
    /^[\s,;]*(?:(?:and|but|so) )?(?:I|we)\b/i.test(piece) ||
    /^(?:\S+ ){0,3}(?:I|We|we)(?:['’]|\s|$)/.test(piece)
  )
    return kinds.includes('person') && !first ? { name: USER, confidence: 0.9 } : undefined;
  // Of "Emma's mother" it is somebody without a name.
  if (
    named.some(
      ({ end }) => /^['’]s (?:[a-z]+ )+/.test(piece.slice(end - clause)) && named.at(-1)?.end === end,
    )
  )
    return undefined;
  if (first && named.length === 1) return { name: first.name, confidence: 0.85 };
  if (first && named.length > 1) return ownerLast(named, piece, clause);
  if (/\b(?:she|he)\b/i.test(piece) && last && kinds.includes('person'))
    return { name: last, confidence: 0.6 };
  return undefined;
}

/** Of "Maria's brother Paulo" it is Paulo; of "Tom and Ann" it is neither alone. */
function ownerLast(
  named: readonly PlacedName[],
  piece: string,
  offset: number,
): { readonly name: string; readonly confidence: number } | undefined {
  const [first, second] = named;
  if (!first || !second || named.length > 2) return undefined;
  const between = piece.slice(first.end - offset, second.start - offset);
  return /^['’]s [a-z]+ (?:is )?$/.test(between) ? { name: second.name, confidence: 0.8 } : undefined;
}
