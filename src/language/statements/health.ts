import { piece, regExp } from '../../regExp.ts';
import { clean, type Draft, isPassing, keyOf, type Rule, says } from './rule.ts';
import type { Said } from './said.ts';

const DIETS = piece`
  (?:vegan|vegetarian|pescatarian|a vegan|a vegetarian|a pescatarian|flexitarian|keto|paleo|plant-based
  |gluten-free|gluten free|gluten intolerant|lactose intolerant|lactose-intolerant|dairy-free|halal|kosher
  |fruitarian|omnivore|a carnivore|teetotal|teetotaller|sugar-free|low-carb|fructose intolerant
  |histamine intolerant)`;
const CONDITIONS = regExp('i')`
  \b(?:asthma|diabetes|migraines?|celiac|coeliac|epilepsy|adhd|add|autism|arthritis|anemia|anaemia
  |hypertension|blood pressure|cholesterol|depression|anxiety|insomnia|eczema|psoriasis|allergies|hay ?fever
  |tinnitus|dyslexia|dyscalculia|scoliosis|fibromyalgia|endometriosis|pcos|ibs|crohn\S*|colitis|lupus
  |sclerosis|parkinson\S*|cancer|leukemia|hypothyroidism|thyroid|glaucoma|cataracts|sleep apnea|apnoea
  |osteoporosis|heart (?:condition|disease|murmur)|pacemaker|bad (?:back|knee|knees|hip|eyesight)|back pain
  |chronic pain|long covid|ptsd|ocd|bipolar|hearing (?:loss|aid|aids)|prosthe\w+|hernia|gout|reflux|gerd
  |intolerance|syndrome|disorder|disease|phobia|nut allergy|hemophilia|haemophilia|aphantasia|narcolepsy
  |vertigo|rosacea|hepatitis|hiv)\b`;
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
      (?:my doctor|the doctor|doctors|they|my gp) (?:have |
      has )?diagnosed me with (?<thing>[^,;:.!?()]+?){end}`,
    make: ({ thing = '' }, said) => condition(thing, said),
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:had|have had|survived|underwent) (?<thing>an? (?:[a-z]+ )?
      (?:heart attack|stroke|transplant|miscarriage|concussion|hip replacement|knee replacement|bypass
      |aneurysm|seizure)|(?:[a-z]+ )?(?:cancer|covid|chemotherapy)){end}`,
    make: ({ thing = '' }) => healthy(thing.replace(/^an? /, ''), `The user had ${thing}.`),
  },
  {
    pattern: says`i am {a}(?<thing>(?:[a-z0-9]+ (?:weeks|months) )pregnant){end}`,
    make: ({ thing = '' }) => healthy('pregnant', `The user is ${thing}.`),
  },
  {
    pattern: says`
      {I}{a}(?:am|are|have been) {a}(?:\w+ly )?allergic to (?<thing>[^,;:.!?()]+?)
      (?: , (?<more>[^;:.!?()]+?))?{end}`,
    make: ({ thing = '' }) => allergies(thing),
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|have developed|developed|suffer from) {a}(?:an? |{My})?(?:\w+ )?
      (?:allergy|allergies) to (?<thing>[^,;:.!?()]+?){end}`,
    make: ({ thing = '' }) => allergies(thing),
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|suffer from) {a}(?:an? )?(?:severe |bad |mild |serious |strong |bad |
      terrible )?(?<thing>[a-z]+(?: [a-z]+)?) (?:allergy|allergies){end}`,
    make: ({ thing = '' }) =>
      /^(?:an?|the|no|any|some|severe|food|many|seasonal|bad)$/.test(thing) ? undefined : allergies(thing),
  },
  {
    pattern: says`
      (?:as|being) (?:an? )?(?:strict |lifelong )?(?<diet>${DIETS}|vegan|vegetarian|pescatarian)(?= |$)`,
    make: ({ diet = '' }, said) => dietOf(diet, said),
  },
  {
    pattern: says`(?:as|being) (?:an? )?(?<thing>(?:type \d )?(?:${ADJECTIVES.slice(3)})(?= |$)`,
    make: ({ thing = '' }) => healthy(thing.replace(/^an? /, ''), `The user is ${thing}.`),
  },
  {
    pattern: says`
      {I}{a}(?:am|are|have been|went|became|turned|go|have gone|eat) {a}(?:on (?:an? )?(?:strict )?)?
      (?<diet>${DIETS})(?: diet)?(?=$| [,.;!]| and| so| but| for| since| because| now| too| these| as| by
      | again)`,
    make: ({ diet = '' }, said) => dietOf(diet, said),
  },
  {
    pattern: says`
      {I}{a}(?:am|follow|eat|keep|stick to|have been) {a}(?:on )?(?:an? )?(?:strict )?
      (?<diet>[a-z-]+(?: [a-z-]+)?) diet{end}`,
    make: ({ diet = '' }, said) =>
      isPassing(diet) || /^(?:on|a|the|good|bad|balanced|healthy)\b/.test(diet)
        ? undefined
        : dietOf(diet, said),
  },
  {
    pattern: says`
      {I}{a}(?:eat|drink|can eat|can drink|can have|consume|touch|smoke) (?<thing>[^,;:.!?()]+?){end}`,
    deniable: true,
    make: ({ thing = '' }, said) => avoided(thing, said),
  },
  {
    pattern: says`
      {I}(?:have )?{a}(?:stopped|quit|gave up|given up|cut out|am off|swore off|have sworn off|avoid
      |steer clear of|stay away from)(?: (?:eating|drinking|smoking|having
      |consuming))? (?<thing>[^,;:.!?()]+?){end}`,
    make: ({ thing = '' }, said) => given(thing, said),
  },
  {
    pattern: says`
      {I}{a}(?:have|have got|have had|live with|have been living with|suffer from|was diagnosed with
      |were diagnosed with|got diagnosed with|have been diagnosed with|struggle with|deal with|was born with
      |developed|am recovering from|have suffered from) (?<thing>(?:an? |the |my |chronic )?[^,;:.!?()]+?)
      (?= since| for \w+ years| in (?:19|20)| last| when| as a|{end})`,
    make: ({ thing = '' }, said) => condition(thing, said),
  },
  {
    pattern: says`
      {I}(?:am|have been) {a}(?<thing>(?:[a-z]+ly |legally |red-green |type \d )?${ADJECTIVES})
      (?: (?:in|on) (?:one|my|the|both) [a-z ]+?)?(?= to| with|{end}|(?= and| so| but| since))`,
    make: ({ thing = '' }) => healthy(thing.replace(/^an? /, ''), `The user is ${thing}.`),
  },
  {
    pattern: says`
      {I}{a}(?:take|am taking|am on|have to take|need to take|use) (?<thing>${MEDICINE}
      (?: and ${MEDICINE})?)(?= for| daily| every| twice| once| because| against| [,.;!]|$| and| at| each
      | in the| with| before| after)`,
    make: ({ thing = '' }, said) =>
      /^(?:one|line|time|machine|online|combine|medicine|routine|online|some|cocaine|plane|train|route|note|control|protocol|wine)$/.test(
        thing,
      ) ||
      (said.words.includes('use') && !/insulin|medic/.test(thing))
        ? undefined
        : healthy(thing, `The user takes ${thing}.`),
  },
  {
    pattern: says`
      {I}{a}(?:wear|need|use|have) (?<thing>(?:an? |my |reading |contact |two )?
      (?:glasses|contact lenses|contacts|lenses|hearing aids?|braces|wheelchair|walking stick|cane|crutches
      |pacemaker|insulin pump|prosthesis|service dog|guide dog)){end}`,
    make: ({ thing = '' }, said) =>
      / need (?:new )?glasses/.test(said.words)
        ? undefined
        : healthy(thing.replace(/^(?:an?|my) /, ''), `The user uses ${thing.replace(/^my /, '')}.`),
  },
];

function list(thing: string): readonly string[] {
  return clean(thing)
    .split(/ and | or |, /)
    .map(clean)
    .filter((one) => one && !isPassing(one));
}

function allergies(thing: string): readonly Draft[] {
  return list(thing.replace(/ allerg(?:y|ies)$/i, '')).map((one) => ({
    slot: `allergy.${keyOf(one)}`,
    value: one,
    text: `The user is allergic to ${one}.`,
    confidence: 0.95,
  }));
}

function dietOf(diet: string, said: Said): Draft {
  const kept = diet.replace(/^an? /, '');
  return {
    slot: 'diet',
    value: kept,
    text: `The user is ${diet.includes('keto') || diet.includes('paleo') ? `on a ${kept} diet` : kept}.`,
    ...(said.instead ? { replaces: said.instead } : {}),
  };
}

function avoided(thing: string, said: Said): Draft | undefined {
  if (
    !said.denied ||
    isPassing(thing) ||
    /^(?:much|a lot|well|enough|it|the|out|here|at|after|before|for|yet|today|yesterday|on|in)\b/i.test(thing)
  )
    return undefined;
  const verb = / (drink|smoke)\b/.exec(said.words)?.[1] ?? 'eat';
  return {
    slot: `diet.${keyOf(thing)}`,
    value: thing,
    text: `The user does not ${verb} ${thing}.`,
    negated: true,
  };
}

const EATEN = regExp('i')`
  \b(?:sugar|meat|alcohol|coffee|dairy|gluten|caffeine|smoking|cigarettes|carbs|soda|wine|beer|pork|beef
  |fish|bread|sweets|chocolate|salt|nuts|eggs|wheat|soy|milk|cheese|red meat|juice|fast food|nicotine
  |tobacco|vaping)\b`;

function given(written: string, said: Said): Draft | undefined {
  const habit = / (smoking|drinking)(?= |$)/.exec(said.words)?.[1];
  const thing =
    /^(?:(?:[\w-]+ ){0,2}(?:years?|months?|weeks?|days?) ago|last |in |when |for |cold turkey)/.test(
      `${written} `,
    ) && habit
      ? habit
      : written;
  const food =
    / (?:stopped|quit|gave up|given up|cut out|swore off|avoid|off)(?: (?:eating|drinking|smoking|having|consuming))? /.exec(
      said.words,
    )?.[0] ?? '';
  const isEaten = /eating|drinking|smoking|consuming/.test(food) || EATEN.test(thing);
  if (!isEaten || said.denied || isPassing(thing)) return undefined;
  return {
    slot: `diet.${keyOf(thing)}`,
    value: clean(thing),
    text: `The user ${/avoid|steer|stay/.test(said.words) ? 'avoids' : 'has given up'} ${clean(thing)}.`,
    negated: true,
    corrects: !/avoid|steer|stay/.test(said.words),
  };
}

function condition(thing: string, said: Said): Draft | undefined {
  if (
    !CONDITIONS.test(thing) ||
    /\b(?:code|app|server|file|project|a question|friend|patient|article|about)\b/i.test(thing)
  )
    return undefined;
  const kept = thing.replace(/^(?:an?|the|my) /, '');
  const diagnosed = said.words.includes('diagnosed') ? 'was diagnosed with' : 'has';
  return healthy(kept, `The user ${diagnosed} ${kept}.`);
}

function healthy(thing: string, text: string): Draft {
  return { slot: `health.${keyOf(thing)}`, value: thing, text, confidence: 0.9 };
}
