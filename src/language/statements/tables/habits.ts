import { piece } from '../../../regExp.ts';
import { attribute, isLasting, routine } from '../drafts/habits.ts';
import { type Rule, says } from '../rule.ts';
import { clean } from '../wording.ts';

const DAYS = piece`
  (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|days?|mornings?|evenings?|nights?|afternoons?|weeks?
  |weekends?|months?|years?|weekdays?)`;

const OFTEN = piece`
  (?:every (?:single |other |second )?${DAYS}(?: (?:morning|evening|night|afternoon))?
  |(?:once|twice|(?:two|three|four|five|six|\d+) (?:times|days|nights))
  (?: or \w+)? (?:an?|per|each|every) ${DAYS}|(?:on|in the|at) (?:mondays|tuesdays|wednesdays|thursdays
  |fridays|saturdays|sundays|weekends|weekdays|mornings|evenings|(?:mon|tues|wednes|thurs|fri|satur|sun)
  day (?:mornings|afternoons|evenings|nights))|before breakfast|after work|before work|before bed
  |(?:night|early|late|rotating|evening) shifts|daily|weekly|each ${DAYS}
  |most (?:days|mornings|nights|evenings|weekends))`;

const DOES = piece`
  (?<what>(?!am|have (?!lunch|dinner|breakfast|tea|coffee|a (?:coffee|tea|nap|beer|glass|cup|bath|shower))
  |had|was|get (?:an?|this|the) |see|got|think|want|need|know|call the|run (?:it|the|this|my)|would|could
  |will|can|did|forget|check the|use (?:this|the)|try|receive|fail|crash)[a-z]+(?: [^,;:.!?()]*?)?)`;

/** What the user does again and again, what his things are called, and what he asks to be remembered. */
export const habitRules: readonly Rule[] = [
  {
    pattern: says`
      {I}(?:[a-z]+ly |also |always |still |just |often )*${DOES} (?<often>${OFTEN})
      (?<more>(?: (?:before|after|at|with|to|for|in|and|from)\b[^,;:.!?()]*?)?)(?=$| [,.;!])`,
    yields: ({ what = '', often = '', more = '' }) => routine(clean(`${what} ${often} ${more}`)),
    examples: [
      ['I meditate daily.', 'routine.meditat-dai: The user meditates daily.'],
      ['I work night shifts.', 'routine.work-night-shift: The user works night shifts.'],
      ['I swim twice a week.', 'routine.swim-twic-week: The user swims twice a week.'],
    ],
    counterExamples: ['I work on it every day and it still fails.', 'I get this error every day.'],
  },
  {
    pattern: says`
      i (?:usually|normally|typically|generally|tend to|always|am used to|nearly always|mostly) ${DOES}
      (?=$| [,.;!]| because| so| but)`,
    yields: ({ what = '' }, said) =>
      isLasting(what) ? routine(`${what} ${said.adverbial}`, what) : undefined,
    examples: [
      ['I usually cycle to work.', 'routine.cycl-work: The user cycles to work.'],
      ['I usually wake up at 6am.', 'routine.wak-6am: The user wakes up at 6am.'],
      ['I always take the 7:40 bus.', 'routine.tak-7-40-bus: The user takes the 7:40 bus.'],
    ],
    counterExamples: ['I usually like it.', 'I usually forget.', 'I always think twice.'],
  },
  {
    pattern: says`i ${DOES}(?=$| [,.;!]| because| so| but)`,
    yields: ({ what = '' }, said) =>
      /\b(?:every|most|each|twice|once|on (?:\w+)days|usually|normally|typically|always)\b/.test(
        said.adverbial,
      )
        ? routine(`${what} ${said.adverbial}`, what)
        : undefined,
    examples: [
      [
        'Twice a week I babysit my niece.',
        'routine.babysit-niec: The user babysits their niece twice a week.',
      ],
      [
        'On Fridays I have lunch with my dad.',
        'routine.lunch-dad: The user has lunch with their dad on fridays.',
      ],
      [
        'Every Saturday I volunteer at the animal shelter.',
        'routine.volunt-animal-shelt: The user volunteers at the animal shelter every saturday.',
      ],
    ],
    counterExamples: ['Yesterday I called my grandmother.', 'Every day I get this error.'],
  },
  {
    pattern: says`
      {My}(?<what>[a-z][a-z0-9' -]{1,40}?) (?:is|are|'s) (?:actually |now |currently )?(?<value>[^;!?()]+?)
      (?= ,| because| so | but | and (?:my|i|it) | [.:!]|$)`,
    yields: ({ what = '', value = '' }, said) => attribute(what, value, said),
    examples: [
      ['My bike is a Trek.', "attribute.bike: The user's bike is a Trek."],
      ['My shoe size is 39.', "attribute.shoe-size: The user's shoe size is 39."],
      ['My team is Liverpool.', "attribute.team: The user's team is Liverpool."],
    ],
    counterExamples: ['My team is great.', 'My phone is a pain.'],
  },
];
