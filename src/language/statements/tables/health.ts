import { piece } from '../../../regExp.ts';
import { allergies, avoided, condition, dietOf, given, healthy } from '../drafts/health.ts';
import { type Rule, says } from '../rule.ts';
import { isPassing } from '../wording.ts';

const DIETS = piece`
  (?:vegan|vegetarian|pescatarian|a vegan|a vegetarian|a pescatarian|flexitarian|keto|paleo|plant-based
  |gluten-free|gluten free|gluten intolerant|lactose intolerant|lactose-intolerant|dairy-free|halal|kosher
  |fruitarian|omnivore|a carnivore|teetotal|teetotaller|sugar-free|low-carb|fructose intolerant
  |histamine intolerant)`;

const ADJECTIVES = piece`
  (?:diabetic|asthmatic|epileptic|autistic|dyslexic|anemic|anaemic|colou?r-?blind|color blind|colour blind
  |blind|deaf|hard of hearing|near-?sighted|short-?sighted|far-?sighted|pregnant|bipolar|disabled|paraplegic
  |partially sighted|visually impaired|wheelchair-bound|prediabetic|an amputee|a diabetic|an asthmatic
  |immunocompromised|a cancer survivor|dyspraxic|neurodivergent|a type 1 diabetic|a type 2 diabetic
  |type 1 diabetic)`;

const MEDICINE = piece`
  (?:[a-z]*(?:in|ol|ine|one|ide|ate|ril|pine|pam|zole|tan|cin|fen|lin|ium|statin)|vitamins?(?: [a-z]\d*)?
  |iron|insulin|supplements|medication|blood thinners|antidepressants|the pill|beta blockers|antihistamines
  |sertraline|metformin|ibuprofen|aspirin)`;

/** What the user's body bears and does not bear. */
export const healthRules: readonly Rule[] = [
  {
    pattern: says`
      (?:my doctor|the doctor|doctors|they|my gp) (?:have |has )?diagnosed me with (?<thing>[^,;:.!?()]+?){end}`,
    yields: ({ thing = '' }, said) => condition(thing, said),
    examples: [
      ['My doctor diagnosed me with anemia.', 'health.anemia: The user was diagnosed with anemia.'],
      ['They diagnosed me with asthma.', 'health.asthma: The user was diagnosed with asthma.'],
    ],
    counterExamples: ['My doctor diagnosed me with a smile.', 'They diagnosed me with bad code.'],
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:had|have had|survived|underwent) (?<thing>an? (?:[a-z]+ )?
      (?:heart attack|stroke|transplant|miscarriage|concussion|hip replacement|knee replacement|bypass
      |aneurysm|seizure)|(?:[a-z]+ )?(?:cancer|covid|chemotherapy)){end}`,
    yields: ({ thing = '' }) => healthy(thing.replace(/^an? /, ''), `The user had ${thing}.`),
    examples: [
      ['I had a heart attack.', 'health.heart-attack: The user had a heart attack.'],
      ['I survived breast cancer.', 'health.breast-canc: The user had breast cancer.'],
    ],
    counterExamples: ['I had a bad day.', 'I had a stroke of luck.'],
  },
  {
    pattern: says`i am {a}(?<thing>(?:[a-z0-9]+ (?:weeks|months) )pregnant){end}`,
    yields: ({ thing = '' }) => healthy('pregnant', `The user is ${thing}.`),
    examples: [
      ["I'm 12 weeks pregnant.", 'health.pregnant: The user is 12 weeks pregnant.'],
      ["I'm six months pregnant.", 'health.pregnant: The user is six months pregnant.'],
    ],
    counterExamples: ["I'm 12 weeks late.", "I'm 12 weeks into the course."],
  },
  {
    pattern: says`
      {I}{a}(?:am|are|have been) {a}(?:\w+ly )?allergic to (?<thing>[^,;:.!?()]+?)
      (?: , (?<more>[^;:.!?()]+?))?{end}`,
    yields: ({ thing = '' }) => allergies(thing),
    examples: [
      ["I'm allergic to bees.", 'allergy.be: The user is allergic to bees.'],
      [
        "I'm allergic to bee stings and latex.",
        'allergy.bee-sting: The user is allergic to bee stings.',
        'allergy.latex: The user is allergic to latex.',
      ],
      ["I'm allergic to penicillin, by the way.", 'allergy.penicillin: The user is allergic to penicillin.'],
    ],
    counterExamples: ["I'm allergic to it.", "I'm probably allergic to something."],
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|have developed|developed|suffer from) {a}(?:an? |{My})?(?:\w+ )?
      (?:allergy|allergies) to (?<thing>[^,;:.!?()]+?){end}`,
    yields: ({ thing = '' }) => allergies(thing),
    examples: [
      ['I have a severe allergy to penicillin.', 'allergy.penicillin: The user is allergic to penicillin.'],
      ['I developed an allergy to latex.', 'allergy.latex: The user is allergic to latex.'],
    ],
    counterExamples: ['I have an answer to that.', 'I have an allergy to this.'],
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|suffer from) {a}(?:an? )?(?:severe |bad |mild |serious |strong |bad |
      terrible )?(?<thing>[a-z]+(?: [a-z]+)?) (?:allergy|allergies){end}`,
    yields: ({ thing = '' }) =>
      /^(?:an?|the|no|any|some|severe|food|many|seasonal|bad)$/.test(thing) ? undefined : allergies(thing),
    examples: [
      ['I have a latex allergy.', 'allergy.latex: The user is allergic to latex.'],
      ["I've got a peanut allergy.", 'allergy.peanut: The user is allergic to peanut.'],
    ],
    counterExamples: ['I have no allergy.', 'I have a meeting.'],
  },
  {
    pattern: says`
      (?:as|being) (?:an? )?(?:strict |lifelong )?(?<diet>${DIETS}|vegan|vegetarian|pescatarian)(?= |$)`,
    yields: ({ diet = '' }, said) => dietOf(diet, said),
    examples: [
      ['As a vegan, I need recipes without eggs.', 'diet: The user is vegan.'],
      ['As a vegan I miss cheese.', 'diet: The user is vegan.'],
      ['Being lactose intolerant is no fun.', 'diet: The user is lactose intolerant.'],
    ],
    counterExamples: ['As a chef I miss cheese.', 'Being late is no fun.'],
  },
  {
    pattern: says`(?:as|being) (?:an? )?(?<thing>(?:type \d )?(?:${ADJECTIVES.slice(3)})(?= |$)`,
    yields: ({ thing = '' }) => healthy(thing.replace(/^an? /, ''), `The user is ${thing}.`),
    examples: [
      ['As a diabetic I avoid juice.', 'health.diabetic: The user is diabetic.'],
      ['Being deaf I read lips.', 'health.deaf: The user is deaf.'],
    ],
    counterExamples: ['As a beginner I avoid juice.', 'Being tired I avoid people.'],
  },
  {
    pattern: says`
      {I}{a}(?:am|are|have been|went|became|turned|go|have gone|eat) {a}(?:on (?:an? )?(?:strict )?)?
      (?<diet>${DIETS})(?: diet)?(?=$| [,.;!]| and| so| but| for| since| because| now| too| these| as| by
      | again)`,
    yields: ({ diet = '' }, said) => dietOf(diet, said),
    examples: [
      ["I'm vegetarian.", 'diet: The user is vegetarian.'],
      ["I'm gluten-free.", 'diet: The user is gluten-free.'],
      ["I'm on a keto diet.", 'diet: The user is on a keto diet.'],
    ],
    counterExamples: ["I'm not vegetarian.", 'The user says: I am vegan.'],
  },
  {
    pattern: says`
      {I}{a}(?:am|follow|eat|keep|stick to|have been) {a}(?:on )?(?:an? )?(?:strict )?
      (?<diet>[a-z-]+(?: [a-z-]+)?) diet{end}`,
    yields: ({ diet = '' }, said) =>
      isPassing(diet) || /^(?:on|a|the|good|bad|balanced|healthy)\b/.test(diet)
        ? undefined
        : dietOf(diet, said),
    examples: [
      ["I'm on a keto diet.", 'diet: The user is on a keto diet.'],
      ['I follow a Mediterranean diet.', 'diet: The user is Mediterranean.'],
    ],
    counterExamples: ["I'm on a diet.", 'I follow a balanced diet.'],
  },
  {
    pattern: says`
      {I}{a}(?:eat|drink|can eat|can drink|can have|consume|touch|smoke) (?<thing>[^,;:.!?()]+?){end}`,
    deniable: true,
    yields: ({ thing = '' }, said) => avoided(thing, said),
    examples: [
      ["I don't eat pork.", 'diet.pork: The user does not eat pork.'],
      ["I can't eat gluten.", 'diet.gluten: The user does not eat gluten.'],
      ['I no longer eat fish.', 'diet.fish: The user does not eat fish.'],
    ],
    counterExamples: ['I eat my words.', "My friend told me: I don't eat pork, I eat fish."],
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:stopped|quit|gave up|given up|cut out|am off|swore off|have sworn off|avoid
      |steer clear of|stay away from)(?: (?:eating|drinking|smoking|having
      |consuming))? (?<thing>[^,;:.!?()]+?){end}`,
    yields: ({ thing = '' }, said) => given(thing, said),
    examples: [
      ["I've given up sugar.", 'diet.sugar: The user has given up sugar.'],
      ['I tend to avoid dairy.', 'diet.dairy: The user avoids dairy.'],
      ["I've stopped eating meat.", 'diet.meat: The user has given up meat.'],
    ],
    counterExamples: ['I stopped eating when the phone rang.', 'I stopped the server.'],
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|have had|live with|have been living with|suffer from|was diagnosed with
      |were diagnosed with|got diagnosed with|have been diagnosed with|struggle with|deal with|was born with
      |developed|am recovering from|have suffered from) (?<thing>(?:an? |the |my |chronic )?[^,;:.!?()]+?)
      (?= since| for \w+ years| in (?:19|20)| last| when| as a|{end})`,
    yields: ({ thing = '' }, said) => condition(thing, said),
    examples: [
      ['i have adhd', 'health.adhd: The user has adhd.'],
      ['I have a bad back.', 'health.bad-back: The user has bad back.'],
      ['I have celiac disease.', 'health.celiac-diseas: The user has celiac disease.'],
    ],
    counterExamples: ['I have a meeting.', 'I have the flu.'],
  },
  {
    pattern: says`
      {I}(?:am|have been) {a}(?<thing>(?:[a-z]+ly |legally |red-green |type \d )?${ADJECTIVES})
      (?: (?:in|on) (?:one|my|the|both) [a-z ]+?)?(?= to| with|{end}|(?= and| so| but| since))`,
    yields: ({ thing = '' }) => healthy(thing.replace(/^an? /, ''), `The user is ${thing}.`),
    examples: [
      ["I'm colour-blind.", 'health.colour-blind: The user is colour-blind.'],
      ["I'm deaf in one ear.", 'health.deaf: The user is deaf.'],
      ["I'm hard of hearing.", 'health.hard-hear: The user is hard of hearing.'],
    ],
    counterExamples: ["I'm blinded by the light.", "I'm deafened."],
  },
  {
    pattern: says`
      {I}{a}(?:take|am taking|am on|have to take|need to take|use) (?<thing>${MEDICINE}
      (?: and ${MEDICINE})?)(?= for| daily| every| twice| once| because| against| [,.;!]|$| and| at| each
      | in the| with| before| after)`,
    yields: ({ thing = '' }, said) =>
      /^(?:one|line|time|machine|online|combine|medicine|routine|online|some|cocaine|plane|train|route|note|control|protocol|wine)$/.test(
        thing,
      ) ||
      (said.words.includes('use') && !/insulin|medic/.test(thing))
        ? undefined
        : healthy(thing, `The user takes ${thing}.`),
    examples: [
      ['I take insulin before meals.', 'health.insulin: The user takes insulin.'],
      ['I take metformin twice a day.', 'health.metformin: The user takes metformin.'],
    ],
    counterExamples: ['I take the train.', 'I take some time.', 'I use aspirin.'],
  },
  {
    pattern: says`
      {I}{a}(?:wear|need|use|have) (?<thing>(?:an? |my |reading |contact |two )?
      (?:glasses|contact lenses|contacts|lenses|hearing aids?|braces|wheelchair|walking stick|cane|crutches
      |pacemaker|insulin pump|prosthesis|service dog|guide dog)){end}`,
    yields: ({ thing = '' }, said) =>
      / need (?:new )?glasses/.test(said.words)
        ? undefined
        : healthy(thing.replace(/^(?:an?|my) /, ''), `The user uses ${thing.replace(/^my /, '')}.`),
    examples: [
      ['I wear glasses.', 'health.glas: The user uses glasses.'],
      ['I use a wheelchair.', 'health.wheelchair: The user uses a wheelchair.'],
    ],
    counterExamples: ['I need new glasses.', 'I use a loop.'],
  },
];
