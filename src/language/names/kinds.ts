import { piece, regExp } from '../../regExp.ts';
import { KIN } from '../kin.ts';
import type { NameCandidate } from './candidates.ts';
import type { Kind, Tags } from './tagger.ts';

/** What a name is of, and how sure that is. */
export interface Judged {
  readonly kind: Kind;
  readonly confidence: number;
}

type Cue = readonly [kind: Kind, confidence: number, pattern: RegExp];

const PEOPLE = piece`
  ${KIN}|friend|best friend
  |colleague|coworker|co-worker|neighbou?r|roommate|flatmate|boss|manager|landlord|landlady|teacher|doctor
  |dentist|therapist|lawyer|coach|trainer|professor|supervisor|mentor|assistant|kid|child|baby|ex|guy|man
  |woman|girl|boy|mate|buddy|classmate|student|author|singer|actor|actress|director|president|client
  |customer|nurse|vet|plumber|kids|children|parents|twins|sons|daughters|friends|brothers|sisters`;
const PETS =
  'dog|cat|puppy|kitten|hamster|rabbit|parrot|bird|horse|pony|goldfish|fish|turtle|tortoise|snake|guinea pig|ferret|budgie|pet';
const COMPANIES = piece`
  company|startup|start-up|firm|band|team|club|school|university|bank|organi[sz]ation|charity|agency|shop
  |store|restaurant|brand|label|publisher|airline|employer|church|hospital`;

/** By what the name itself is made of. */
const forms: readonly Cue[] = [
  [
    'organization',
    0.95,
    regExp()`
      (?:\b|^)(?:Inc|Corp|Corporation|GmbH|Ltd|LLC|AG|SE|PLC|Co|Company|Group|Holdings|University|Institute
      |Hospital|Clinic|Bank|College|School|Academy|Airlines|Airways|Foundation|Association|Organization
      |Organisation|Society|Agency|Ministry|Department|Committee|Council|Commission|Church|Labs|Studios
      |Records|Motors|Pharma|Press|Times|Post|FC|United|Rovers|Party|Union|Police|Army|Navy|Reserve|Cross
      |Technologies|Systems|Partners|Consulting|Ventures|Capital|Insurance|Orchestra|Symphony|Philharmonic
      |Club|Library)$`,
  ],
  [
    'organization',
    0.95,
    /^(?:University|Bank|Bank|Ministry|Department|Institute|School|College|Church|FC|AC|SC|ETH|TU|UC|NGO|Doctors)(?: \p{L}+)+/u,
  ],
  [
    'event',
    0.9,
    regExp()`
      (?:^|\s)(?:Festival|Conference|Cup|Olympics|Olympic Games|Summit|Marathon|War|Championships?|Games
      |Expo|Fair|Parade|Day|Eve|Bowl|Awards|Prix|Open|Carnival|Biennale|Hackathon|Convention|Con|Week
      |Tournament|Games)$`,
  ],
  [
    'event',
    0.9,
    regExp()`
      ^(?:Christmas|Easter|Thanksgiving|Halloween|Hanukkah|Ramadan|Diwali|Eid|Passover|Oktoberfest|Carnival
      |Coachella|Glastonbury|Burning Man|WWDC|CES|SXSW|Lent|Pride|Eurovision|Wimbledon|Super Bowl|Brexit
      |Olympics|Ironman)$`,
  ],
  [
    'place',
    0.9,
    regExp()`
      (?:^|\s)(?:Street|Road|Avenue|Lane|Boulevard|Square|Plaza|Park|Airport|Station|Hotel|Hostel|Island
      |Islands|Beach|Bridge|Bay|Valley|River|Forest|Castle|Palace|Tower|Stadium|Arena|Cathedral|Museum|Hall
      |Mountains?|Hills?|Desert|Canyon|Falls|City|Town|Village|County|Province|Coast|Harbou?r|Ocean|Sea
      |platz|Straße|Strasse|Gallery|Market|Garden|Gardens|Zoo|Café|Cafe|Restaurant|Bar|Pub|Terminal|Lake)$`,
  ],
  ['place', 0.9, /^(?:Lake|Mount|Mt|Cape|Port|Fort|River|Hotel|Café|Cafe|Rio|Isle|Gulf|Bay) \p{Lu}/u],
  ['place', 0.85, /\p{Ll}(?:platz|straße|strasse|allee|gasse|bahnhof)$/u],
  [
    'thing',
    0.85,
    /^\p{Lu}\p{L}+ (?:(?:\p{Lu}\p{L}* )*(?:[\p{Lu}]*\d[\p{L}\d]*|Pro|Max|Mini|Ultra|Air|Plus))$/u,
  ],
];

/** By the words before it. */
const before: readonly Cue[] = [
  [
    'thing',
    0.9,
    new RegExp(`\\b(?:${PETS})(?:,? (?:is |was )?(?:named|called)|'s name is| is| was|,)? $`, 'i'),
  ],
  [
    'person',
    0.95,
    new RegExp(
      `\\b(?:${PEOPLE})(?:,? (?:is |was |are )?(?:named|called)|['’]s name is| is called|,)? $`,
      'i',
    ),
  ],
  ['organization', 0.85, new RegExp(`\\b(?:${COMPANIES})(?:,? (?:named|called)) $`, 'i')],
  ['person', 0.8, /\b(?:named|called) $/i],
  [
    'organization',
    0.9,
    regExp('i')`
      \b(?:work(?:s|ed|ing)?|job|intern(?:s|ed|ing|ship)?|employed|position|role|hired|career|interview
      (?:ed|ing)?|consult(?:s|ing)?|volunteer(?:s|ed|ing)?|engineer|manager|director|developer|analyst
      |designer|nurse|surgeon|doctor|teacher|professor|scientist|consultant|researcher|lawyer|accountant
      |[a-z]+(?:ist|eer)) (?:at|for|by|with) (?:the )?$`,
  ],
  [
    'organization',
    0.85,
    /\b(?:study|studies|studied|studying|enrolled|degree|graduated|teach(?:es)?|taught) (?:[a-z]+ )?(?:at|from) (?:the )?$/i,
  ],
  [
    'organization',
    0.8,
    regExp('i')`
      \b(?:joined|quit|acquired|founded|ceo of|cto of|founder of|head of|employee of|shares? (?:of|in)
      |part of|belongs to|owned by|bought from|ordered from|support|flew with|fly with|switch(?:ed)? to
      |customer of|subsidiary of|division of|acquired by) (?:the )?$`,
  ],
  [
    'place',
    0.9,
    regExp('i')`
      \b(?:live[sd]?|living|lived|mov(?:e|es|ed|ing)|relocat(?:e|ed|ing)|flew|fly|flying|flights?|travel
      (?:s|led|ed|ling|ing)?|trip|trips|vacation|holidays?|born|raised|grew up|based|headquartered|located
      |stay(?:ed|ing)?|land(?:ed|ing)?|arriv(?:e|ed|ing)|drive|drove|driving|train|room|house|apartment|flat
      |weekend|weeks?|days?|months?|years?|summer|winter|back|hike[ds]?|hiking|honeymoon|takes? place|office
      |hotel|bar|bakery|café|cafe|restaurant|conference|capital|chancellor|president|king|queen
      |mayor) (?:back |over |up |down )?(?:in|to|from|near|of|on|around|through|outside|for) (?:the )?$`,
  ],
  [
    'place',
    0.85,
    regExp('i')`
      \b(?:flows? through|capital of|close to|border with|south of|north of|east of|west of|outside|visit
      (?:ed|ing|s)?|toured|explored|hiked|climbed|crossed|left for|moving to|going to|went to|been to
      |next to|is from|are from|am from|come[s]? from|['’]m from|['’]s from) (?:the )?$`,
  ],
  [
    'person',
    0.8,
    regExp('i')`
      \b(?:by|with|met|meet|meeting|call|called|ask|asked|tell|told|saw|see|visit|texted|emailed|phoned
      |married|dating|hug|thank|invite|invited|for|from|and|to) $`,
  ],
  [
    'thing',
    0.75,
    regExp('i')`
      \b(?:bought|buy|own|owns|drive|drives|driving|ride|rides|got|have|has|sold|using|use|gave me|his|her
      |my|upgraded to) (?:me )?(?:an?|his|her|my|their|two|the|new|old|used|a new|a used|an old|his old
      |her old|my old|my new) $`,
  ],
];

const DOES = piece`
  (?:said|says|told|asked|thinks|called|texted|wrote|came|comes|went|goes|likes|loves|hates|wants|lives
  |lived|works|worked|moved|plays|is coming|is married|is engaged|is pregnant|is (?:my|our|his|her) |
  and (?:his|her) |and I\b|studies|gave|sent|brought|visited|married|got|met|helped|joined|founded|bought
  |owns|runs|has a|needs|knows|teaches|recommended|invited|will|turned|turns
  |is (?:an?|the) [a-z]+ (?:at|from|for)\b|is from|was born|recently|always|just|told)`;
/** By the words after it; these are said of people only when a dictionary does not object. */
const after: readonly Cue[] = [
  ['person', 0.75, new RegExp(`^(?:['’]s (?:${PEOPLE})\\b| ${DOES})`, 'i')],
  [
    'organization',
    0.85,
    /^ (?:is (?:based|headquartered)|acquired|hired|announced|released|belongs to|is part of|laid off|was founded)/i,
  ],
  [
    'person',
    0.8,
    /^['’]s (?:place|house|birthday|party|flat|apartment|mother|father|wedding|name|number|phone|car|dog|wife|husband|boss|job|family)\b/i,
  ],
];

const TECHNICAL = regExp()`
  ^(?:Python|Java|JavaScript|TypeScript|Rust|Go|Ruby|Swift|Kotlin|Scala|Perl|React|Angular|Vue|Svelte|Node
  |Docker|Kubernetes|Linux|Ubuntu|Debian|Fedora|Windows|macOS|Git|Redis|Postgres|PostgreSQL|MySQL|SQLite
  |MongoDB|Chrome|Firefox|Safari|Excel|Word|PowerPoint|Bash|Django|Flask|Rails|Laravel|Next|Bootstrap
  |Tailwind|Markdown|Unicode|LaTeX|Terraform|Ansible|Jenkins|Nginx|Apache|English|Latin)(?:\b|\.)`;
const LANGUAGES_AND_PEOPLES = regExp('u')`
  (?:^|\s)(?:\p{Lu}\p{L}*(?:ese|ish)|(?:Ital|Americ|German|Russ|Ind|Austral|Brazil|Canad|Mexic|Kore|Belg
  |Norweg|Hungar|Roman|Bulgar|Ukrain|Pers|Egypt|Europe|Asi|Afric|Austri|Alban|Serb|Croat)(?:i?an|an|ean)
  |German|French|Thai|Greek|Dutch|Czech|Swiss|Arabic|Hindi|Urdu|Latin|Hebrew|Tamil|Swahili|Mandarin
  |Cantonese|Catalan|Slovak|Christian|Muslim|Jewish|Buddhist|Catholic)s?$`;

/** The kind of a name in its sentence; `undefined` when nothing tells, since a wrong entity is worse than none. */
export function kindOf(candidate: NameCandidate, sentence: string, tags: Tags): Judged | undefined {
  const { name, title, start, end, isFirst } = candidate;
  if (TECHNICAL.test(name) || LANGUAGES_AND_PEOPLES.test(name)) return undefined;
  if (title) return { kind: 'person', confidence: 0.95 };
  const known = tagged(candidate, tags);
  const form = judged(forms, name);
  if (form && !(isFirst && !name.includes(' '))) return form;
  const lead = sentence.slice(Math.max(0, start - 60), start);
  const led = judged(before, lead);
  if (led && led.confidence >= 0.85 && !contradicts(known, led)) return led;
  if (known && known.confidence >= 0.8) return known;
  const followed = judged(after, sentence.slice(end, end + 40));
  const best = [led, followed].filter((one) => one !== undefined).find((one) => !contradicts(known, one));
  if (best && (best.kind !== 'person' || isLikeAPerson(name))) {
    if (best.kind !== 'person' || known?.kind === 'person' || best === followed || / met $/.test(lead))
      return best;
  }
  return form ?? known;
}

function judged(cues: readonly Cue[], text: string): Judged | undefined {
  const found = cues.find(([, , pattern]) => pattern.test(text));
  return found && { kind: found[0], confidence: found[1] };
}

function contradicts(known: Judged | undefined, cue: Judged): boolean {
  return (
    known !== undefined &&
    known.kind !== cue.kind &&
    known.confidence > cue.confidence - 0.05 &&
    cue.confidence < 0.95
  );
}

function isLikeAPerson(name: string): boolean {
  return name.split(' ').length <= 3 && !/\d/.test(name) && name !== name.toUpperCase();
}

/** What the dictionary says of all words of the name. */
function tagged({ name, start }: NameCandidate, tags: Tags): Judged | undefined {
  let at = start;
  const each = name.split(' ').map((word) => {
    const found = tags.get(at);
    at += word.length + 1;
    return found;
  });
  const has = (tag: string) => each.every((found) => found?.has(tag));
  const some = (tag: string) => each.some((found) => found?.has(tag));
  if (some('FirstName') && (each.length > 1 ? has('Person') || has('ProperNoun') : has('Person')))
    return { kind: 'person', confidence: each.length > 1 ? 0.9 : 0.8 };
  if (has('City') || has('Country') || has('Region')) return { kind: 'place', confidence: 0.85 };
  if (some('Country') || some('City'))
    return each.length === 1 ? { kind: 'place', confidence: 0.8 } : undefined;
  if (has('Person') && each.length > 1) return { kind: 'person', confidence: 0.8 };
  if (has('Organization')) return { kind: 'organization', confidence: 0.7 };
  if (has('Place')) return { kind: 'place', confidence: 0.7 };
  return undefined;
}
