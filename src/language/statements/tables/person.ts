import {
  ageDraft,
  fact,
  introduced,
  nameDraft,
  nicknameDraft,
  origin,
  traitDraft,
} from '../drafts/person.ts';
import { type Rule, says } from '../rule.ts';
import { isDemonym } from '../vocabulary.ts';

/** Who the user is: name, age, origin, character. */
export const personRules: readonly Rule[] = [
  {
    pattern: says`i {a}(?:have )?changed my name to (?<name>[^,;:.!?()]+?){end}`,
    yields: ({ name = '' }, said) => nameDraft(name, said),
    examples: [['I changed my name to Skye.', "name: The user's name is Skye."]],
    counterExamples: ['I changed my name to something longer.', 'I changed my mind.'],
  },
  {
    pattern: says`
      (?:{My}(?:(?:full|real|actual|given|first|legal) )?name|the name) {is}(?:actually |now )?
      (?<name>[^,;:.!?()]+?)(?: and (?:my|i|we) .*| by the way.*| btw.*)?(?: [,;:.!?(].*)?$`,
    yields: ({ name = '' }, said) => nameDraft(name, said),
    examples: [
      ['My name is Tom.', "name: The user's name is Tom."],
      ["my name's priya btw", "name: The user's name is priya."],
      ["My name isn't Jon but John.", "name: The user's name is John."],
    ],
    counterExamples: ["My name isn't important.", '`my name is root` is printed on line 3'],
  },
  {
    pattern: says`
      {My}nick ?name {is}(?<nick>[^,;:.!?()]+?){end}|(?<=^)(?:(?:please |just )?call me
      |you (?:can|may|should) (?:just )?call me|(?:everyone|everybody|people|my friends|friends|they
      |most people)(?: usually| always| just| all)? calls? me|i (?:usually )?(?:go|went) by
      |i am (?:also )?known as) (?<nick2>[^,;:.!?()]+?){end}`,
    yields: ({ nick, nick2 }, said) => nicknameDraft(nick ?? nick2 ?? '', said),
    examples: [
      ['call me mo', 'name.nickname: The user is called mo.'],
      ['I go by Mo.', 'name.nickname: The user is called Mo.'],
      ['Everyone calls me Bex.', 'name.nickname: The user is called Bex.'],
    ],
    counterExamples: ['People call me at night because of the outage.', 'Call me later.'],
  },
  {
    pattern: says`i am (?:called |named )?(?<name>[^,;:.!?()]+?){end}`,
    yields: ({ name = '' }, said) => introduced(name, said),
    examples: [
      ['hey im jake', "name: The user's name is jake."],
      ["i'm called yusuf", "name: The user's name is yusuf."],
      ["Hello, I'm Sofia from Acme support. How can I help?", "name: The user's name is Sofia."],
    ],
    counterExamples: ["I'm Batman.", "I'm building an app called Fernweh."],
  },
  {
    pattern: says`(?<name>[a-z]+) (?:here|speaking)(?: [,.!]|$)`,
    yields: ({ name = '' }, said) => introduced(name, said),
    examples: [
      ['hello there, Nadia here', "name: The user's name is Nadia."],
      ['Hi! Ravi speaking.', "name: The user's name is Ravi."],
      ['Tom here.', "name: The user's name is Tom."],
    ],
    counterExamples: ['Nobody here.'],
  },
  {
    pattern: says`(?:this is|it is|it 's) (?<name>[^,;:.!?()]+?)(?: here| speaking)(?: [,.!]|$)`,
    yields: ({ name = '' }, said) => introduced(name, said),
    examples: [
      ["It's Anna speaking.", "name: The user's name is Anna."],
      ['This is Omar here.', "name: The user's name is Omar."],
    ],
    counterExamples: ['This is great here.', "It's cold here."],
  },
  {
    pattern: says`
      i (?:am|will be|turned|turn|just turned)(?: now| only| about to turn| turning)? (?<age>\d{1,3})
      (?: years old| years of age| yo| now)?(?=$| [,.!;]| years| and| last| this| next| today| on| in)
      (?! ?(?:minutes|min|km|%|percent|hours|times|years (?:into|in|late|ago)))`,
    yields: ({ age = '' }, said) => ageDraft(age, said),
    examples: [
      ['im 27', 'age: The user is 27 years old (said in 2026).'],
      ["I'm 41.", 'age: The user is 41 years old (said in 2026).'],
      ["I'm 34 years old.", 'age: The user is 34 years old (said in 2026).'],
    ],
    counterExamples: ["I'm 20 minutes late.", "I'm 3.", "I'm 27 km away."],
  },
  {
    pattern: says`i am {a}(?<origin>from|originally from|native to) (?<place>[^,;:.!?()]+?){end}`,
    yields: ({ place = '' }) => origin(place, 'is from'),
    examples: [
      ["I'm from Glasgow.", 'home.origin: The user is from Glasgow.'],
      ["I'm actually from Wales, not England.", 'home.origin: The user is from Wales.'],
      ["I'm not from Spain, I'm from Portugal.", 'home.origin: The user is from Portugal.'],
    ],
    counterExamples: ["I'm from the future.", "I'm from Mars, beep boop."],
  },
  {
    pattern: says`
      {I}{a}(?:(?<grew>grew up|was raised|were raised|was brought up)|(?:was|were) born)
      (?: and raised| and grew up)? in (?<place>[^,;:.!?()]+?)(?= and (?:now|live|moved|studied)|{end}
      |(?: in \d{4}))`,
    yields: ({ place = '', grew }) =>
      /^\d|^an? |^the (?:year|\d)/.test(place)
        ? undefined
        : origin(place, grew ? 'grew up in' : 'was born in'),
    examples: [
      ['I was born in Manila.', 'home.origin: The user was born in Manila.'],
      ['I grew up in Tampere.', 'home.origin: The user grew up in Tampere.'],
      ['I was born in Lagos but raised in London.', 'home.origin: The user was born in Lagos.'],
    ],
    counterExamples: ['I was born ready.', 'I grew up in a hurry.'],
  },
  {
    pattern: says`{I}{a}come from (?<place>[^,;:.!?()]+?){end}`,
    yields: ({ place = '' }) => origin(place, 'is from'),
    examples: [
      ['I come from Cusco.', 'home.origin: The user is from Cusco.'],
      ['We come from a small village.', 'home.origin: The user is from a small village.'],
    ],
    counterExamples: ['I come from work.', 'I come from the support team.'],
  },
  {
    pattern: says`
      {My}(?:home ?town|birthplace|place of birth|home country|native country) {is}
      (?<place>[^,;:.!?()]+?){end}`,
    yields: ({ place = '' }) => origin(place, 'is from'),
    examples: [
      ['My home town is Cork.', 'home.origin: The user is from Cork.'],
      ['My place of birth is Quito.', 'home.origin: The user is from Quito.'],
    ],
    counterExamples: ['My home town is here.', 'My home town is the best.'],
  },
  {
    pattern: says`
      {My}(?:preferred )?pronouns {is}(?<pronouns>[a-z]+(?:[/ ][a-z]+)*?){end}
      |i use (?<pronouns2>[a-z]+/[a-z]+(?:/[a-z]+)?) (?:pronouns|as)|^i go by (?<pronouns3>[a-z]+/[a-z]+)`,
    yields: ({ pronouns, pronouns2, pronouns3 }) =>
      fact(
        'pronouns',
        pronouns ?? pronouns2 ?? pronouns3 ?? '',
        (value) => `The user's pronouns are ${value}.`,
      ),
    examples: [
      ['I use they/them pronouns.', "pronouns: The user's pronouns are they/them."],
      ['My pronouns are they/them.', "pronouns: The user's pronouns are they/them."],
      ['I go by she/her.', "pronouns: The user's pronouns are she/her."],
    ],
    counterExamples: ['My pronouns are none of your business?', 'I use tabs/spaces.'],
  },
  {
    pattern: says`
      i am {a}(?:an? )?(?<people>(?:half |part |born )?[a-z-]+)
      (?: by birth| citizen| national| by nationality| woman| man| guy)?(?=$| [,.;!]| and| but| so)`,
    yields: ({ people = '' }) =>
      isDemonym(people) ? fact('nationality', people, (value) => `The user is ${value}.`) : undefined,
    examples: [
      ["I'm Dutch.", 'nationality: The user is Dutch.'],
      ["I'm half Irish.", 'nationality: The user is half Irish.'],
      ["I'm Norwegian but I've lived in Edinburgh since university.", 'nationality: The user is Norwegian.'],
    ],
    counterExamples: ["I'm Batman.", "I'm fine, thanks."],
  },
  {
    pattern: says`i am {a}(?<trait>[^,;:.!?()]+?){end}`,
    yields: ({ trait = '' }) => traitDraft(trait),
    examples: [
      ["I'm Muslim.", 'trait.muslim: The user is Muslim.'],
      ["I'm a night owl.", 'trait.night-owl: The user is a night owl.'],
      ["I'm left-handed.", 'trait.left-handed: The user is left-handed.'],
    ],
    counterExamples: ["I'm Batman.", "I'm a bit confused."],
  },
];
