import { regExp } from '../../../regExp.ts';

/** What an answer to a question is likely to have in it. */
export type AnswerKind = 'time' | 'number' | 'place' | 'person';

const asked: readonly (readonly [asked: RegExp, kind: AnswerKind])[] = [
  [/\b(?:when|what (?:day|date|month|year|time)|which (?:day|date|month|year)|how long ago)\b/i, 'time'],
  [/\bhow (?:many|much|old|long|far|often|tall|big)\b/i, 'number'],
  [/\b(?:where|(?:what|which) (?:city|town|country|place|state|street))\b/i, 'place'],
  [/\b(?:who|whom|whose)\b/i, 'person'],
];

const given: Readonly<Record<AnswerKind, RegExp>> = {
  time: regExp('i')`
    \b(?:yesterday|today|tonight|tomorrow|ago|(?:last|next|this) (?:\w+day|week|weekend|month|year|night
    |summer|winter|spring|fall|autumn)|in (?:19|20)\d\d|january|february|march|april|june|july|august
    |september|october|november|december|\w+day|\d{1,2}(?:st|nd|rd|th))\b`,
  number: regExp('i')`
    \d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred
    |thousand|once|twice|dozen|couple)\b`,
  place: /\b(?:in|at|to|from|near|around|through) (?:the )?\p{Lu}\p{Ll}/u,
  person: regExp('u')`
    (?<=[\p{Ll},] )(?!I\b)\p{Lu}\p{Ll}|\b(?:mum|mom|dad|mother|father|sister|brother|son|daughter|wife
    |husband|girlfriend|boyfriend|partner|friend|neighbou?r|boss|colleague|teacher|doctor|aunt|uncle
    |cousin|grand\w+|lady|woman|man)\b`,
};

/** What kind of answer a question asks for, if it shows. */
export function answerTo(question: string): AnswerKind | undefined {
  return asked.find(([words]) => words.test(question))?.[1];
}

export function hasAnswer(text: string, kind: AnswerKind): boolean {
  return given[kind].test(text);
}
