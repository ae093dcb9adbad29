import { piece, regExp } from '../../regExp.ts';

/** Words with capital letters that stand together, and where. */
export interface NameCandidate {
  readonly name: string;
  readonly title: string | undefined;
  readonly start: number;
  readonly end: number;
  /** It begins the sentence, where every word has a capital letter. */
  readonly isFirst: boolean;
}

const CAPITAL = "\\p{Lu}[\\p{L}\\p{M}\\d]*(?:[-.&'’](?!s\\b)\\p{L}[\\p{L}\\d]*)*";
const LINK = '(?:of(?: the)?|de|del|della|di|da|dos|van|van der|van den|von|der|la|le|du|al|bin|ibn|&)';
const TITLE = piece`
  (?<title>(?:Dr|Mr|Mrs|Ms|Miss|Prof|Professor|Sir|Uncle|Aunt|Auntie|Grandma|Grandpa|Herr|Frau|Captain
  |President|Judge|Father|Sister|Brother)\.? )?`;
const RUN = new RegExp(
  `(?<![\\p{L}\\d@/_.-])${TITLE}(?<name>${CAPITAL}(?: (?:${LINK} )?(?:${CAPITAL}|\\d[\\w]{0,4}(?= |[.,;!?)]|$)(?<! \\d{4})))*)`,
  'gu',
);

/** Written with a capital letter and no name. */
const ORDINARY = regExp()`
  ^(?:I|I['’]?(?:m|ve|ll|d)|A|An|The|This|That|These|Those|It|He|She|We|You|They|My|Our|Your|His|Her|Their
  |Its|Yes|No|Not|Ok|Okay|OK|Hi|Hey|Hello|Thanks|Thank|Please|Sorry|And|But|Or|So|If|When|While|Where|What
  |Which|Who|Whom|Whose|Why|How|Is|Are|Am|Was|Were|Do|Does|Did|Can|Could|Will|Would|Should|Shall|May|Might
  |Must|Have|Has|Had|Let|Lets|Maybe|Perhaps|Actually|Also|Now|Then|There|Here|Today|Tomorrow|Yesterday
  |Tonight|Good|Great|Nice|Cool|Sure|Well|Oh|Ah|Wow|Hmm|In|On|At|To|From|For|With|By|Of|About|After|Before
  |Since|Because|As|Like|Just|Even|Still|Some|Any|All|Every|Each|Both|Many|Most|More|Much|Never|Always|Often
  |Usually|Sometimes|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Mondays|Tuesdays|Wednesdays
  |Thursdays|Fridays|Saturdays|Sundays|January|February|March|April|June|July|August|September|October
  |November|December|Mr|Mrs|Ms|Dr|Prof|FYI|TODO|PS|BTW|LOL|OMG|ASAP|API|JSON|HTML|CSS|SQL|HTTP|HTTPS|URL|ID
  |PDF|USB|PC|TV|SSD|GPU|CPU|RAM|AI|ML|UI|UX|OS|IT|HR|CEO|CTO|CFO|PhD|MSc|BSc|AM|PM|UTC|Ctrl|Alt|Shift|Esc
  |XML|YAML|CSV|REST|SDK|IDE|CLI|VM|VPN|DNS|IP|TCP|UDP|SSH|FAQ|DIY|ETA|RSVP|GPS|SMS|Mom|Mum|Dad|Mama|Papa
  |Grandma|Grandpa|God|Note|Error|Step|Call|Ask|Send|Tell|Write|Open|Fix|Use|Add|Remember|Does|Got|Did|Step
  |New|Happy|Birthday|Morning|Everyone|Everything|Nothing|Something|Someone|Nobody)$`;

/** With which people begin what they ask an assistant for. By itself at the beginning, none of them is a name. */
const COMMAND = regExp()`
  ^(?:Book|Buy|Calculate|Cancel|Change|Check|Choose|Close|Come|Compare|Continue|Convert|Count|Create|Define|Delete
  |Describe|Dim|Draft|Explain|Find|Forget|Generate|Get|Give|Greet|Help|Imagine|Keep|List|Lock|Look|Make|Move|Order
  |Pause|Plan|Play|Pretend|Put|Read|Recommend|Remind|Remove|Resume|Run|Say|Schedule|Search|Set|Show|Skip|Sort|Speak
  |Start|Stop|Suggest|Summari[sz]e|Switch|Take|Think|Translate|Try|Turn|Unlock|Update|Wake)$`;

export function candidatesOf(sentence: string): readonly NameCandidate[] {
  // Where most words have capital letters, they say nothing: a title, a shout.
  const words = sentence.match(/\p{L}[\p{L}'’]*/gu) ?? [];
  const capital = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  if (words.length >= 4 && capital / words.length > 0.75) return [];
  return Array.from(sentence.matchAll(RUN)).flatMap((found) => trimmed(found, sentence));
}

function trimmed(found: RegExpExecArray, sentence: string): readonly NameCandidate[] {
  const { title, name = '' } = found.groups ?? {};
  let start = found.index + (title?.length ?? 0);
  const words = name.split(' ');
  while (words.length > 0 && !title && isOrdinary(words[0] ?? '', words.length))
    start += (words.shift()?.length ?? 0) + 1;
  while (words.length > 0 && isOrdinary(words.at(-1) ?? '', words.length)) words.pop();
  const kept = words
    .join(' ')
    .replace(/(?<! (?:of|de|van|von|la|le|the|&))(?: (?:of|de|van|von|la|le|the|&))+$/, '')
    .replace(/(?<!['’.])['’.]+$/, '');
  if (kept.length < 2) return [];
  const isFirst = /^[^\p{L}\p{N}]*$/u.test(sentence.slice(0, found.index)) && start === found.index;
  if (isFirst && !title && COMMAND.test(kept)) return [];
  return [{ name: kept, title: title?.trim(), start, end: start + kept.length, isFirst }];
}

function isOrdinary(word: string, among: number): boolean {
  // "New York" and "Red Cross" are names; "New" by itself is none.
  return /^(?:New|Happy|Good|Great|March|April|August|General)$/.test(word) &&
    among > 1 &&
    !/^(?:Happy|Good|Great)$/.test(word)
    ? false
    : ORDINARY.test(word);
}
