import { piece } from '../../../regExp.ts';
import { home, moved } from '../drafts/home.ts';
import { isNamed } from '../drafts/person.ts';
import { type Rule, says } from '../rule.ts';

const PLACE = piece`
  (?<place>[^,;:.!?()]+?)(?= (?:with|for|now|nowadays|these|since|right|currently|at the moment|because|not
  |where|to be|on my|by myself|alone|from|last|this|next|two|three|four|five|six|a few
  |an? (?:year|month|week)|\d+ (?:years|months)|in (?:the )?(?:19|20|june|may|july|august|september|october
  |november|december|january|february|march|april|summer|spring|autumn|fall|winter)[a-z0-9]*|when|after
  |before|yesterday|recently|and)(?= |$)|{end})`;

/** Where the user lives. */
export const homeRules: readonly Rule[] = [
  {
    pattern: says`home (?:is|has been|for {I}is)(?: now| currently)? ${PLACE}`,
    yields: ({ place = '' }, said) => (isNamed(place) ? home(place, undefined, said) : undefined),
    examples: [['Home is Lisbon.', 'home.city: The user lives in Lisbon.']],
    counterExamples: ['Home is where the heart is.', 'Home is quiet.'],
  },
  {
    pattern: says`
      {I}{a}(?:live|living|reside|stay permanently|am living|are living|have been living|have lived
      |am residing|am settled|settled|live together) (?:{a})?(?:just )?
      (?:in|at|on|(?<near>near|outside|outside of|close to|north of|south of|east of|west of|next to
      |by)) ${PLACE}`,
    yields: ({ place = '', near }, said) => home(place, near, said),
    examples: [
      ['I live in Hamburg.', 'home.city: The user lives in Hamburg.'],
      ['I reside in Tallinn.', 'home.city: The user lives in Tallinn.'],
      ['I no longer live in Prague.', 'home.city: The user no longer lives in Prague.'],
    ],
    counterExamples: ['I live in hope.', 'I used to live in Dublin.'],
  },
  {
    pattern: says`
      {I}{a}(?:am|are) {a}(?:based|located|living|settled|residing) {a}
      (?:in|at|(?<near>near|outside)) ${PLACE}`,
    yields: ({ place = '', near }, said) => home(place, near, said),
    examples: [
      ["I'm based in Nairobi.", 'home.city: The user lives in Nairobi.'],
      ["We're located near Turin.", 'home.city: The user lives near Turin.'],
    ],
    counterExamples: ["I'm based in reality.", "I'm in the kitchen."],
  },
  {
    pattern: says`
      {I}{a}(?:have )?{a}(?:moved|relocated|moved back|moved here|emigrated|immigrated|moved over)
      (?: from (?<from>[^,;:.!?()]+?))? (?:to|into) ${PLACE}`,
    yields: ({ place = '', from }, said) => moved(place, from, said),
    examples: [
      ['I moved from Turin to Genoa.', 'home.city: The user lives in Genoa.'],
      ['I moved to Toronto last month.', 'home.city: The user lives in Toronto.'],
      ['I moved from an apartment to a house.', 'home.city: The user lives in a house.'],
    ],
    counterExamples: [
      'I moved to the next chapter.',
      '"I moved from Leeds to York," said the hero of my novel.',
    ],
  },
  {
    pattern: says`
      {My}(?:(?:current|new|permanent) )?(?:home|house|apartment|flat|place|residence) {is}
      (?:located )?in ${PLACE}`,
    yields: ({ place = '' }, said) => home(place, undefined, said),
    examples: [
      ['My apartment is in Prenzlauer Berg.', 'home.city: The user lives in Prenzlauer Berg.'],
      ['Our house is in a small village.', 'home.city: The user lives in a small village.'],
    ],
    counterExamples: ['My house is in a mess.', 'My place is in the shadow.'],
  },
];
