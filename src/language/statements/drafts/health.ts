import { regExp } from '../../../regExp.ts';
import type { Draft } from '../rule.ts';
import type { Said } from '../said.ts';
import { clean, isPassing, keyOf } from '../wording.ts';

const CONDITIONS = regExp('i')`
  \b(?:asthma|diabetes|migraines?|celiac|coeliac|epilepsy|adhd|add|autism|arthritis|anemia|anaemia
  |hypertension|blood pressure|cholesterol|depression|anxiety|insomnia|eczema|psoriasis|allergies|hay ?fever
  |tinnitus|dyslexia|dyscalculia|scoliosis|fibromyalgia|endometriosis|pcos|ibs|crohn\S*|colitis|lupus
  |sclerosis|parkinson\S*|cancer|leukemia|hypothyroidism|thyroid|glaucoma|cataracts|sleep apnea|apnoea
  |osteoporosis|heart (?:condition|disease|murmur)|pacemaker|bad (?:back|knee|knees|hip|eyesight)|back pain
  |chronic pain|long covid|ptsd|ocd|bipolar|hearing (?:loss|aid|aids)|prosthe\w+|hernia|gout|reflux|gerd
  |intolerance|syndrome|disorder|disease|phobia|nut allergy|hemophilia|haemophilia|aphantasia|narcolepsy
  |vertigo|rosacea|hepatitis|hiv)\b`;

function list(thing: string): readonly string[] {
  return clean(thing)
    .split(/ and | or |, /)
    .map(clean)
    .filter((one) => one && !isPassing(one));
}

export function allergies(thing: string): readonly Draft[] {
  return list(thing.replace(/ allerg(?:y|ies)$/i, '')).map((one) => ({
    slot: `allergy.${keyOf(one)}`,
    value: one,
    text: `The user is allergic to ${one}.`,
    confidence: 0.95,
  }));
}

export function dietOf(diet: string, said: Said): Draft {
  const kept = diet.replace(/^an? /, '');
  return {
    slot: 'diet',
    value: kept,
    text: `The user is ${diet.includes('keto') || diet.includes('paleo') ? `on a ${kept} diet` : kept}.`,
    ...(said.instead ? { replaces: said.instead } : {}),
  };
}

export function avoided(thing: string, said: Said): Draft | undefined {
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

export function given(written: string, said: Said): Draft | undefined {
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

export function condition(thing: string, said: Said): Draft | undefined {
  if (
    !CONDITIONS.test(thing) ||
    /\b(?:code|app|server|file|project|a question|friend|patient|article|about)\b/i.test(thing)
  )
    return undefined;
  const kept = thing.replace(/^(?:an?|the|my) /, '');
  const diagnosed = said.words.includes('diagnosed') ? 'was diagnosed with' : 'has';
  return healthy(kept, `The user ${diagnosed} ${kept}.`);
}

export function healthy(thing: string, text: string): Draft {
  return { slot: `health.${keyOf(thing)}`, value: thing, text, confidence: 0.9 };
}
