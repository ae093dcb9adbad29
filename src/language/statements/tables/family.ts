import { piece } from '../../../regExp.ts';
import { children, keyOfKin, kinOf, petNamed, relative, sibling } from '../drafts/family.ts';
import { type Rule, says } from '../rule.ts';

const NAMES = piece`(?<name>[\p{L}'-]+(?:(?: ,| ,? ?and) [\p{L}'-]+)+)`;

const CHILDREN = piece`
  (?:(?:little|young|small|grown|grown-up|adult|teenage|older|younger|beautiful|lovely|wonderful|adopted
  |twin) )*(?:kids|children|boys|girls|sons|daughters|twins|siblings|sisters|brothers|grandchildren
  |grandkids|toddlers|teenagers|stepchildren|nephews|nieces)`;

/** The people that the user lives with: who there is, what they are called, how old they are. */
export const familyRules: readonly Rule[] = [
  {
    pattern: says`
      {My}{kin} (?:'s (?:first )?name (?:is|was|'s)|(?:is|was|are|'s) (?:called|named)|named|called)
      (?: actually| now)? {name}(?=$| [,.;!()]| and| but| not| who| who| so| by| she| he| from| btw| in| is
      | has| was| lives| works)`,
    yields: ({ name = '', kin = '', which }, said) => relative(kin, which, name, said),
    examples: [
      ["My son's name is Oscar.", "family.son.name: The user's son is called Oscar."],
      ['My wife is called Inge.', "family.wife.name: The user's wife is called Inge."],
      ['My sister is called Mia.', "family.sister.name: The user's sister is called Mia."],
    ],
    counterExamples: [
      'Translate into Dutch: my brother is called Sven.',
      'The book "My Sister Is Called Mia" is great.',
    ],
  },
  {
    pattern: says`
      (?:{My})(?<kin>parents|kids|children|sons|daughters|brothers|sisters|twins|boys|girls|siblings
      |grandparents)(?: 's? names)? (?:are|'s names are)(?: called| named)? ${NAMES}
      (?=$| [,.;!]| but| so| who)`,
    yields: ({ name = '', kin = '' }, said) => relative(kin, undefined, name, said),
    examples: [
      [
        'My parents are Rosa and Miguel.',
        "family.parents.name: The user's parents are called Rosa and Miguel.",
      ],
      ['My kids are called Ada and Ben.', "family.kids.name: The user's kids are called Ada and Ben."],
    ],
    counterExamples: ['My parents are nice and funny.', 'My twins are two and loud.'],
  },
  {
    pattern: says`{My}{kin} ,? ?{name}(?= [a-z,'])`,
    yields: ({ name = '', kin = '', which }, said) => relative(kin, which, name, said),
    examples: [
      ['My son Milan is nine.', "family.son.name: The user's son is called Milan."],
      ['My husband Karim is a baker.', "family.husband.name: The user's husband is called Karim."],
      ['My mother Ruth lives with us.', "family.mother.name: The user's mother is called Ruth."],
    ],
    counterExamples: ['My boss is a nightmare.', 'My mother lives in Malta.'],
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|had|got|adopted) (?:an? |one |{My})?
      (?:[a-z-]+ ){0,2}?{kin} (?:called|named|, called|, named|whose name is|by the name of|,) {name}
      (?=$| [,.;!]| and| but| who| so| in)`,
    yields: ({ name = '', kin = '', which }, said) => relative(kin, which, name, said),
    examples: [
      ['I have a daughter called Ines.', "family.daughter.name: The user's daughter is called Ines."],
      [
        'My husband is called Piotr and we have a daughter, Hania.',
        "family.daughter.name: The user's daughter is called Hania.",
      ],
    ],
    counterExamples: ['I have a daughter called upstairs.', "'I have a sister,' Tom said."],
  },
  {
    pattern: says`
      {I}(?:named|called|are naming|will name) {My}?(?<kin>baby|son|daughter|newborn|dog|cat|puppy|kitten
      |little boy|little girl) {name}(?=$| [,.;!]| and| after| because)`,
    yields: ({ name = '', kin = '' }, said) =>
      /dog|cat|puppy|kitten/.test(kin) ? petNamed(kin, name, said) : relative(kin, undefined, name, said),
    examples: [
      ['We named our baby Noor.', "family.baby.name: The user's baby is called Noor."],
      ['We called our puppy Biscuit.', "pet.puppy.name: The user's puppy is called Biscuit."],
    ],
    counterExamples: ['We named our baby after my aunt.', 'I named the variable Noor.'],
  },
  {
    pattern: says`
      {I}{a}(?:am|are|have been|got|get) {a}(?:married|engaged) to {name}
      (?=$| [,.;!]| and| for| since| in| last| but)`,
    yields: ({ name = '' }, said) => relative('partner', undefined, name, said, true),
    examples: [
      ["I'm engaged to Lucía.", 'family.partner.name: The user is married or engaged to Lucía.'],
      ["I'm married to Daniel.", 'family.partner.name: The user is married or engaged to Daniel.'],
      [
        "I've been married to Jonas for six years.",
        'family.partner.name: The user is married or engaged to Jonas.',
      ],
    ],
    counterExamples: ["I'm married to my job.", "I'm not married to the idea."],
  },
  {
    pattern: says`
      i (?:am|have been|got|became) {a}(?:an? )?(?<status>single|married|divorced|engaged|widowed|separated
      |widow|widower|newlywed|single (?:mom|mum|mother|dad|father|parent)|in a relationship
      |in a long-distance relationship|recently divorced|happily married)
      (?=$| [,.;!]| and| but| so| with| for| in| on| last| since| now| who| at|\s\d)`,
    yields: ({ status = '' }) => ({
      slot: 'family.status',
      value: status,
      text: `The user is ${/^(?:single \w|widow)/.test(status) && !/widowed/.test(status) ? `a ${status}` : status}.`,
    }),
    examples: [
      ["I'm single.", 'family.status: The user is single.'],
      ['I got married in 2015.', 'family.status: The user is married.'],
      ['I got engaged last summer.', 'family.status: The user is engaged.'],
    ],
    counterExamples: ["I'm not married.", 'I got married in the game to an elf.'],
  },
  {
    pattern: says`
      (?:being|as) an? (?<status>single|married|divorced) (?<kind>mom|mum|mother|dad|father|parent|man|woman
      |person) `,
    yields: ({ status = '', kind = '' }) => ({
      slot: 'family.status',
      value: `${status} ${kind}`,
      text: `The user is a ${status} ${kind}.`,
    }),
    examples: [
      ['Being a single dad, I have little time.', 'family.status: The user is a single dad.'],
      ['Being a single dad I cook a lot.', 'family.status: The user is a single dad.'],
      ['As a married man I have to ask.', 'family.status: The user is a married man.'],
    ],
    counterExamples: ['As a married couple they argue.', 'Being single is fine.'],
  },
  {
    pattern: says`
      i am {a}(?:an? )?(?:single |proud |married |divorced |working |busy |new |young )*
      (?:mom|mum|mother|dad|father|parent|grandmother|grandfather|grandparent) (?:of|to) (?<count>{count}
      (?: ${CHILDREN})?)(?=$| [,.;!]| and| so| but| who| aged| with)`,
    yields: ({ count = '' }) => ({
      slot: 'family.children',
      value: count,
      text: `The user is a parent of ${count}.`,
    }),
    examples: [
      ["I'm a grandmother of four.", 'family.children: The user is a parent of four.'],
      ["I'm a single mum of two boys.", 'family.children: The user is a parent of two boys.'],
    ],
    counterExamples: ["I'm a fan of neither.", 'I am a father figure to many.'],
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|are raising|am raising) (?<count>{count} ${CHILDREN})
      (?=$| [,.;!:]| and| so| but| who| aged| at| together| with| called| named| in)
      (?: (?:called|named|,|:) ${NAMES})?`,
    yields: ({ count = '', name }, said) => children(count, name, said),
    examples: [
      ['I have three kids.', 'family.children: The user has three kids.'],
      ["I've two brothers.", 'family.brothers: The user has two brothers.'],
      ["I've got twin girls.", 'family.children: The user has twin girls.'],
    ],
    counterExamples: [
      'Tom says: I have two kids.',
      'For instance, I have two sons, how would I write that in French?',
    ],
  },
  {
    pattern: says`
      {I}{a}(?:have|have got) (?:an? |one )(?<count>(?:older|younger|big|little|twin|baby|elder|half|step
      |new|newborn|\d+[- ]year[- ]old|[a-z]+[- ]year[- ]old|teenage|grown)?[ ]?
      (?:sister|brother|daughter|son|baby|child|kid|wife|husband|girlfriend|boyfriend|fiancé|fiancée|partner
      |stepson|stepdaughter|grandson|granddaughter))(?: , {name})?
      (?=$| [,.;!]| and| so| but| who| in| at| now)`,
    yields: ({ count = '', name }, said) => sibling(count, name, said),
    examples: [
      ['I have an older brother.', 'family.brother: The user has an older brother.'],
      ['I have a son, not a daughter.', 'family.son: The user has a son.'],
      ['I have a six-year-old daughter.', 'family.daughter: The user has a six-year-old daughter.'],
    ],
    counterExamples: ['I have a sister in a novel, if only.', "'I have a sister,' Tom said."],
  },
  {
    pattern: says`
      {My}{kin} (?:is|turns|turned|just turned|will be|will turn)
      (?: now| about to turn| turning)? (?<age>\d{1,3})(?: years old| years| months old| now)?
      (?=$| [,.;!]| on| in| this| next| and| today| tomorrow| last)`,
    yields: ({ kin = '', age = '', which }) => ({
      slot: `family.${keyOfKin(kin, which)}.age`,
      value: age,
      text: `The user's ${kinOf(kin, which)} is ${age}.`,
    }),
    examples: [
      ['My daughter turns 10 on Saturday.', "family.daughter.age: The user's daughter is 10."],
      ['My mum turns 80 on the 3rd of February.', "family.mother.age: The user's mum is 80."],
      ['My son is 5.', "family.son.age: The user's son is 5."],
    ],
    counterExamples: ['My daughter is 10 minutes late.', 'My boss is 1 of a kind.'],
  },
  {
    pattern: says`
      {My}(?<kin>kids|children|sons|daughters|twins|boys|girls) (?:are|turn|turned) (?<age>\d{1,2}
      (?:(?: ,)? (?:and )?\d{1,2})*)(?: years old)?(?=$| [,.;!]| and| now)`,
    yields: ({ kin = '', age = '' }) => ({
      slot: `family.${kin}.age`,
      value: age,
      text: `The user's ${kin} are ${age}.`,
    }),
    examples: [
      ['My kids are 4 and 7.', "family.kids.age: The user's kids are 4 and 7."],
      ['Our twins turned 12.', "family.twins.age: The user's twins are 12."],
    ],
    counterExamples: ['My kids are 2 hours away.', 'My boys are great.'],
  },
];
