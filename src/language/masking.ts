import { regExp } from '../regExp.ts';

/** How much of each kind was masked. */
interface MaskedCounts {
  secrets: number;
  cards: number;
  ids: number;
}

export interface MaskedText {
  readonly text: string;
  readonly masked: Readonly<MaskedCounts>;
}

/** Keys as those who hand them out write them, and what is called a password, a token or a PIN. */
const secrets: readonly RegExp[] = [
  regExp('g')`-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,10000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?`,
  regExp('g')`\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|xox[abeoprs]|glpat|npm|hf|AIza|ya29|dop_v1|shpat|whsec|key)
    [-_.][A-Za-z0-9_\-]{16,250}`,
  /\bAIza[A-Za-z0-9_-]{30,50}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,255}/g,
  /\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{0,2000}/g,
  /\b[Bb]earer [A-Za-z0-9._~+/-]{16,2000}/g,
  /(?<=:\/\/[^\s:@/]{1,100}:)[^\s@/]{1,200}(?=@)/g,
];

/** What follows these words is what nobody else should know. */
const named = regExp('giu')`
  (?<![\p{L}\p{N}])
  (passwords?|passphrase|passcode|passwort|kennwort|mot de passe|contraseña|pin(?: code| number)?|api[ -]?key|
  secret key|access key|(?:access |auth )?token|cvv|cvc|security code|geheimzahl)
  (\s{0,3}(?:is|are|ist|lautet|est|es|was|=|:)\s{0,3}["'“„«]?)
  ([^\s"'“”„«»,;]{3,200})`;

/** Groups of digits, of which some may be a card, and others when it expires. */
const DIGITS = /\d(?:[ -]?\d){12,200}/g;

const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g;
/** United States, with strokes; of the United Kingdom, with its letters. */
const SOCIAL_SECURITY = /(?<![\d-])(?!000|666|9\d\d)\d{3}[- ](?!00)\d{2}[- ](?!0000)\d{4}(?![\d-])/g;
const NATIONAL_INSURANCE = /\b(?![DFIQUV])[A-Z](?![DFIQUVO])[A-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b/g;
/** What stands behind the name of such a number is one. */
const NAMED_ID = regExp('giu')`
  (?<![\p{L}\p{N}])
  (passport|passnummer|reisepass|driver'?s licen[cs]e|id card|identity card|personalausweis|ausweisnummer|
  social security|ssn|tax id|steuer-?id|national insurance|sozialversicherungsnummer|dni|nie|nif|carte d'identité)
  ((?: number| no\.?| nummer| id)?\s{0,3}(?:is|ist|lautet|est|es|=|:|#)?\s{0,3})
  ((?=[A-Z0-9 -]{0,24}\d)[A-Z0-9][A-Z0-9 -]{4,22}[A-Z0-9])(?![A-Za-z0-9])`;

/** Numbers that are spoken digit by digit, as a recogniser may write them. */
const digitWords: Readonly<Record<string, string>> = {
  ...{ zero: '0', oh: '0', one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7' },
  ...{ eight: '8', nine: '9', null: '0', eins: '1', zwei: '2', drei: '3', vier: '4', fünf: '5', sechs: '6' },
  ...{ sieben: '7', acht: '8', neun: '9' },
};
const SPOKEN = regExp('giu')`
  (?<![\p{L}\p{N}])
  (?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|\d)
  [\s,.-]{1,3}){12,18}
  (?:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|\d)
  (?![\p{L}\p{N}])`;

const LEAST_CARD = 13;
const MOST_CARD = 19;

/**
 * A text without secrets, card numbers and the numbers of documents, with what was there in its place. It rather masks
 * too much: what was written can be erased, and not unread.
 */
export function maskSecrets(given: string): MaskedText {
  const masked: MaskedCounts = { secrets: 0, cards: 0, ids: 0 };
  const put = (kind: keyof MaskedCounts) => {
    masked[kind]++;
    return { secrets: '[secret]', cards: '[card number]', ids: '[id number]' }[kind];
  };
  let text = given;
  for (const secret of secrets) text = text.replace(secret, () => put('secrets'));
  text = text.replace(named, (whole, name: string, between: string, value: string) =>
    isTelling(value) ? `${name}${between}${put('secrets')}` : whole,
  );
  text = text.replace(IBAN, (found) => (isIban(found) ? put('ids') : found));
  text = text.replace(DIGITS, (found) => withoutCards(found, () => put('cards')));
  text = text.replace(SPOKEN, (found) => (isCard(spokenDigits(found)) ? put('cards') : found));
  text = text.replace(SOCIAL_SECURITY, () => put('ids'));
  text = text.replace(NATIONAL_INSURANCE, () => put('ids'));
  text = text.replace(NAMED_ID, (_whole, name: string, between: string) => `${name}${between}${put('ids')}`);
  return { text, masked };
}

/** "My password is strong" tells nothing; "is hunter2" or "is Tr0ub4dor" does. */
function isTelling(value: string): boolean {
  return /[\d!@#$%^&*_+=?<>|~]/.test(value) || (/\p{Lu}/u.test(value.slice(1)) && /\p{Ll}/u.test(value));
}

/** A card begins and ends with a group. */
function withoutCards(found: string, put: () => string): string {
  const groups = found.split(/(?<=[ -])/);
  const left: string[] = [];
  for (let first = 0; first < groups.length; ) {
    const next = cardEnd(groups, first);
    if (next === undefined) left.push(groups[first++] ?? '');
    else {
      left.push(put(), groups[next - 1]?.match(/[ -]$/)?.[0] ?? '');
      first = next;
    }
  }
  return left.join('');
}

function cardEnd(groups: readonly string[], first: number): number | undefined {
  let digits = '';
  for (let next = first; next < groups.length && digits.length <= MOST_CARD; ) {
    digits += groups[next++]?.replace(/[ -]$/, '') ?? '';
    if (isCard(digits)) return next;
  }
  return undefined;
}

function spokenDigits(text: string): string {
  return text
    .toLowerCase()
    .split(/[\s,.-]+/)
    .map((word) => digitWords[word] ?? word)
    .join('');
}

/** By its length, and the check of Luhn that every card passes. */
function isCard(digits: string): boolean {
  if (digits.length < LEAST_CARD || digits.length > MOST_CARD || /^(\d)\1*$/.test(digits)) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const counted = place % 2 === 1 ? digit * 2 : digit;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}

/** Its letters count as numbers from 10 on, and what is left of it by 97 is 1. */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '');
  if (plain.length < 15 || plain.length > 34) return false;
  let rest = 0;
  for (const sign of plain.slice(4) + plain.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
