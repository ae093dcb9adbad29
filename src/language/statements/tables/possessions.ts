import { piece } from '../../../regExp.ts';
import { isNamed } from '../drafts/person.ts';
import { has, languages, possession, skill } from '../drafts/possessions.ts';
import { type Rule, says } from '../rule.ts';
import { clean, inThirdPerson, isPassing, keyOf } from '../wording.ts';

const LANGUAGE = piece`
  (?:fluent |some |a (?:bit|little)(?: of)? |basic |good |broken |conversational |native |decent |perfect |
  both )*`;

/** Neither "and" nor "or" is of the list, or "or or or" could be read in more ways than there is time for. */
const listOf = (before: string) => `[a-z]+(?:(?: ,| and| or)+ ${before}(?!(?:and|or) )[a-z]+)*`;

/** What the user has, can and speaks. */
export const possessionRules: readonly Rule[] = [
  {
    pattern: says`
      i (?:am (?:bilingual|trilingual|multilingual)(?: in)?(?: :)?|(?:can )?get by in
      |grew up (?:with|speaking)|am able to speak|speak (?:two|three|four|five|six|several) languages
      (?: ,| :)?) (?<which>${listOf('')})`,
    yields: ({ which = '' }) => languages(which),
    examples: [
      ['I can get by in Italian.', 'language.italian: The user speaks Italian.'],
      [
        "I'm trilingual: Dutch, French and English.",
        'language.dutch: The user speaks Dutch.',
        'language.french: The user speaks French.',
        'language.english: The user speaks English.',
      ],
      [
        'I speak three languages: Greek, English and German.',
        'language.greek: The user speaks Greek.',
        'language.english: The user speaks English.',
        'language.german: The user speaks German.',
      ],
    ],
    counterExamples: ['I can get by in meetings.', 'I speak three languages at work.'],
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:swapped|traded|exchanged) (?:my|our) (?<old>[^,;:.!?()]+?) for (?:an? |the )?
      (?<new>[^,;:.!?()]+?){end}`,
    yields: ({ old = '', new: now = '' }) =>
      isNamed(now)
        ? {
            slot: `possession.${keyOf(now)}`,
            value: now,
            text: `The user swapped ${inThirdPerson(old)} for ${now}.`,
            corrects: true,
            replaces: old,
          }
        : undefined,
    examples: [
      ['I swapped my iPhone for a Fairphone.', 'possession.fairphon: The user swapped iPhone for Fairphone.'],
    ],
    counterExamples: ['I swapped my shift for a nap.', 'I swapped the tabs for spaces.'],
  },
  {
    pattern: says`
      {I}have been {a}(?<what>(?!wait|try|work|look|us|think|hav|get|liv|do|go|wonder|struggl|read|us|hear
      |see|feel|mean|ask|tell|call|debug|search|stay|deal|tak|talk|sitt|stand|runn|writ|build|mak)[a-z]+ing)
      (?: [a-z]+)? (?:for (?:about |over |almost )?[a-z0-9]+ years|since )`,
    yields: ({ what = '' }) => skill(what, `The user has been ${what} for years.`),
    examples: [
      ["I've been boxing for eight years.", 'skill.box: The user has been boxing for years.'],
      ['I have been knitting since school.', 'skill.knit: The user has been knitting for years.'],
    ],
    counterExamples: ['I have been waiting for two years.', "I've been boxing."],
  },
  {
    pattern: says`
      {I}{a}(?:can )?(?:speak|know|understand|grew up speaking|also speak) ${LANGUAGE}
      (?<which>${listOf(LANGUAGE)})(?=$| [.;!,]| fluently| at| with| but| since| very| well| quite| because
      | and| natively)`,
    yields: ({ which = '' }) => languages(which),
    examples: [
      ['I speak fluent Dutch.', 'language.dutch: The user speaks Dutch.'],
      ['I speak Turkish at home.', 'language.turkish: The user speaks Turkish.'],
      [
        'i speak arabic and french',
        'language.arabic: The user speaks arabic.',
        'language.french: The user speaks french.',
      ],
    ],
    counterExamples: ["I don't speak French.", 'I know Tom.'],
  },
  {
    pattern: says`
      i am {a}(?:fluent|a native speaker|native speaker|proficient|conversational|bilingual|trilingual
      |learning|studying|teaching myself)(?: (?:in|of))? (?<which>${listOf('')})
      (?=$| [.;!,]| on| at| with| because| for| right| since| and| so| but| in)`,
    yields: ({ which = '' }, said) =>
      languages(which, /learning|studying|teaching/.test(said.words) ? 'is learning' : undefined),
    examples: [
      ["I'm learning Korean.", 'language.korean: The user is learning Korean.'],
      ["I'm fluent in Mandarin.", 'language.mandarin: The user speaks Mandarin.'],
    ],
    counterExamples: ["I'm learning a lot.", "I'm fluent in sarcasm.", "I'm learning about history."],
  },
  {
    pattern: says`{My}(?:native|first|mother|second|main|native) (?:language|tongue) {is}(?<which>[a-z]+)`,
    yields: ({ which = '' }) => languages(which),
    examples: [
      ['My mother tongue is Tamil.', 'language.tamil: The user speaks Tamil.'],
      ['My native language is Polish.', 'language.polish: The user speaks Polish.'],
    ],
    counterExamples: ['My first language is hard.', 'My mother is Tamil.'],
  },
  {
    pattern: says`i am {a}a native (?<which>[a-z]+) speaker`,
    yields: ({ which = '' }) => languages(which),
    examples: [["I'm a native Portuguese speaker.", 'language.portuguese: The user speaks Portuguese.']],
    counterExamples: ["I'm a native speaker.", "I'm a native app developer."],
  },
  {
    pattern: says`
      {I}{a}(?:(?:can )?play|have (?:been )?play(?:ing|ed)|am learning(?: to play)?
      |have been playing) (?:the )?(?<what>[a-z -]*?(?:guitar|bass|piano|violin|viola|cello|drums?|flute
      |clarinet|saxophone|sax|trumpet|trombone|ukulele|harp|organ|accordion|banjo|keyboard|oboe|harmonica
      |chess|tennis|football|soccer|basketball|volleyball|badminton|squash|golf|rugby|hockey|cricket
      |baseball|softball|poker|bridge|go|darts|table tennis|ping pong|padel|handball|dungeons|d&d
      |video games|board games))(?=$| [.;!,]| in| for| since| with| on| at| every| and| twice| once| but
      | a (?:bit|little)| semi| professionally| competitively)`,
    yields: ({ what = '' }) => skill(what, `The user plays ${what}.`),
    examples: [
      ['I play the cello.', 'skill.cello: The user plays cello.'],
      ['I play guitar in a band.', 'skill.guitar: The user plays guitar.'],
      ['I play tennis on Wednesdays.', 'skill.tennis: The user plays tennis.'],
    ],
    counterExamples: ['I play with the idea.', 'I used to play the piano.'],
  },
  {
    pattern: says`{I}{a}know how to (?<what>[^,;:.!?()]+?){end}`,
    yields: ({ what = '' }) =>
      /\b(?:this|that|it|the|you|him|her|them)\b/.test(what)
        ? undefined
        : skill(what, `The user knows how to ${what}.`),
    examples: [
      ['I know how to sail.', 'skill.sail: The user knows how to sail.'],
      ['I know how to knit socks.', 'skill.knit-sock: The user knows how to knit socks.'],
    ],
    counterExamples: ['I know how to do it.', 'I know how to fix this, never mind.'],
  },
  {
    pattern: says`
      {I}{a}(?:can|am able to) (?<verb>code|program|cook|swim|sail|ski|dance|sing|juggle|knit|sew|drive
      |ride a [a-z]+|surf|touch-type|touch type|type \d+ words[a-z ]*|draw|paint|do a handstand|play by ear
      |fly a plane|read music|speak sign language)(?<what> in [^,;:.!?()]+?| [a-z]+ well)?{end}`,
    yields: ({ verb = '', what = '' }) =>
      skill(clean(`${verb} ${what}`), `The user can ${clean(`${verb} ${what}`)}.`),
    examples: [
      ['I can juggle.', 'skill.juggl: The user can juggle.'],
      ['I can code in Rust and Go.', 'skill.cod-rust: The user can code in Rust and Go.'],
      [
        'I can type 90 words per minute.',
        'skill.typ-90-word-per-minut: The user can type 90 words per minute.',
      ],
    ],
    counterExamples: ['I can cook you something.', 'I can drive a bit of code.', 'Can I sing?'],
  },
  {
    pattern: says`
      i am {a}(?:good|great|skilled|experienced|proficient|an expert|terrible|bad|excellent|talented
      |well-versed) (?:at|in|with) (?<what>[^,;:.!?()]+?){end}`,
    yields: ({ what = '' }, said) =>
      isPassing(what) || /^(?:remembering|the)\b/.test(what)
        ? undefined
        : skill(what, `The user is ${/terrible|bad /.test(said.words) ? 'not good' : 'good'} at ${what}.`),
    examples: [
      ["I'm good at chess.", 'skill.ches: The user is good at chess.'],
      ["I'm terrible at maths.", 'skill.math: The user is not good at maths.'],
    ],
    counterExamples: ["I'm good at it.", "I'm bad with the names."],
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:drive|own|ride|just bought|bought|have bought|purchased|got myself|bought myself
      |have owned|inherited|have just bought|recently bought|recently purchased) (?<thing>
      (?:an? |two |three |\d+ |{My}|some )[^,;:.!?()]+?|[a-z]+ (?:guitars|bikes|cars|houses)){end}`,
    deniable: true,
    yields: ({ thing = '' }, said) => possession(thing, said),
    examples: [
      ['I drive a Skoda.', 'possession.skoda: The user drives a Skoda.'],
      ['I own two guitars.', 'possession.two-guitar: The user owns two guitars.'],
      ["I don't own a car.", 'possession.car: The user does not own a car.'],
    ],
    counterExamples: ['Hypothetically, I own a castle.', 'Imagine that I own a spaceship.'],
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|use) (?<thing>(?:an? |two |three |four |\d+ |my )?[^,;:.!?()]+?){end}`,
    yields: ({ thing = '' }, said) => has(thing, said),
    examples: [
      ['I have an old Vespa.', 'possession.old-vespa: The user has an old Vespa.'],
      ['I have a Canon EOS R6.', 'possession.canon-eos-r6: The user has a Canon EOS R6.'],
      ['I no longer have a car.', 'possession.car: The user no longer has a car.'],
    ],
    counterExamples: ['I have a meeting.', 'I have an iPhone question.'],
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:sold|got rid of|gave away|have given away|crashed|totalled|traded in) (?:my
      |our) (?<thing>[^,;:.!?()]+?)(?= for| last| to|{end})`,
    yields: ({ thing = '' }, said) =>
      said.denied
        ? undefined
        : {
            slot: `possession.${keyOf(thing)}`,
            value: thing,
            text: `The user no longer has a ${thing}.`,
            negated: true,
            corrects: true,
          },
    examples: [
      ['We sold our boat.', 'possession.boat: The user no longer has a boat.'],
      ['I sold my motorbike.', 'possession.motorbik: The user no longer has a motorbike.'],
      ['I gave away my old piano.', 'possession.old-piano: The user no longer has a old piano.'],
    ],
    counterExamples: ["I haven't sold my boat.", 'I sold the idea.'],
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:switched|changed|upgraded|went) (?:from (?<old>[^,;:.!?()]+?)) to (?:an? |the )?
      (?<new>[^,;:.!?()]+?){end}`,
    yields: ({ old = '', new: now = '' }) =>
      isNamed(now) || /^[a-z]*[A-Z]/.test(now)
        ? {
            slot: `possession.${keyOf(now)}`,
            value: now,
            text: `The user switched from ${old} to ${now}.`,
            corrects: true,
            replaces: old,
          }
        : undefined,
    examples: [
      ['I switched from Android to iPhone.', 'possession.phon: The user switched from Android to iPhone.'],
      ["I've switched from Spotify to Tidal.", 'possession.tidal: The user switched from Spotify to Tidal.'],
      ['I upgraded from a Polo to a Golf.', 'possession.golf: The user switched from a Polo to Golf.'],
    ],
    counterExamples: ['I switched from tabs to spaces in that file.', 'I went from bad to worse.'],
  },
];
