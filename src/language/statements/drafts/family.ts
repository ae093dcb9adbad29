import { piece, regExp } from '../../../regExp.ts';
import { dateIn } from '../../dates.ts';
import { plainKin } from '../../kin.ts';
import type { Draft } from '../rule.ts';
import type { Said } from '../said.ts';
import { clean } from '../wording.ts';

export function kinOf(kin: string, which: string | undefined): string {
  return which && !/^new$/.test(which) ? `${which} ${kin}` : kin;
}

export function keyOfKin(kin: string, which: string | undefined): string {
  const key = kin === 'newborn' ? 'baby' : plainKin(kin);
  return which &&
    /older|younger|elder|little|big|twin|other|second|step|half|oldest|youngest|eldest|middle|ex/.test(which)
    ? `${which}-${key}`
    : key;
}

const NO_NAME = regExp('i')`
  ^(?:a|an|the|is|very|not|so|really|my|in|on|at|and|from|sick|ill|here|there|coming|getting|going|visiting
  |pregnant|great|old|young|years|two|three|also|called|just|who|has|was|had|said|says|told|asked|likes
  |loves|works|lives|with|always|he|she|it|they|too|to|for|of|being|moving|turning|doing|home|back|dead|well
  |fine|ok|allergic|mad|angry|sad|happy)\b`;

/** In a text with capital letters a name has one. */
function isName(name: string, said: Said): boolean {
  const ordinary = NO_NAME;
  return (
    !ordinary.test(name) &&
    (said.isLower || name.split(/ (?:and )?|, /).every((word) => /^\p{Lu}/u.test(word)))
  );
}

export function relative(
  kin: string,
  which: string | undefined,
  written: string,
  said: Said,
  married = false,
): Draft | undefined {
  const name = nameIn(written, said);
  if (!isName(name, said)) return undefined;
  const many = /s$/.test(kin) && kin !== 'boss';
  return {
    slot: `family.${keyOfKin(kin, which)}.name`,
    value: name,
    text: married
      ? `The user is married or engaged to ${name}.`
      : `The user's ${kinOf(kin, which)} ${many ? 'are' : 'is'} called ${name}.`,
    confidence: 0.9,
    ...(said.instead ? { replaces: said.instead } : {}),
  };
}

export function children(count: string, names: string | undefined, said: Said): readonly Draft[] {
  const isSibling = /sisters|brothers|siblings|nephews|nieces|grand/.test(count);
  const slot = isSibling ? `family.${count.split(' ').at(-1)}` : 'family.children';
  const text = piece`The user has ${/^no\b/.test(count) ? 'no children' : count}.`;
  const named = names && isName(names, said) ? `${text.slice(0, -1)}: ${clean(names)}.` : text;
  return [{ slot, value: count, text: named }];
}

export function sibling(count: string, name: string | undefined, said: Said): Draft {
  const kin = count.trim().split(' ').at(-1) ?? count;
  if (name && isName(name, said))
    return {
      slot: `family.${keyOfKin(kin, undefined)}.name`,
      value: name,
      text: `The user's ${kin} is called ${name}.`,
    };
  return {
    slot: `family.${keyOfKin(kin, undefined)}`,
    value: count.trim(),
    text: `The user has ${/^[aeiou]/.test(count.trim()) ? 'an' : 'a'} ${count.trim()}.`,
  };
}

export function petNamed(pet: string, written: string, said: Said): Draft | undefined {
  const name = nameIn(written, said);
  if (!isName(name, said)) return undefined;
  return {
    slot: `pet.${pet.replaceAll(' ', '-')}.name`,
    value: name,
    text: `The user's ${pet} is called ${name}.`,
    confidence: 0.9,
  };
}

export function petOf(count: string): string {
  const last = count.split(' ').at(-1) ?? '';
  return last.replace(/ies$/, 'y').replace(/(?<!fish|s)s$/, '');
}

export function birthdayOf(
  kin: string,
  which: string | undefined,
  day: string,
  said: Said,
): Draft | undefined {
  const named = dateIn(day, said.at);
  if (!named) return undefined;
  return {
    slot: `date.${keyOfKin(kin, which)}.birthday`,
    value: day,
    text: `The birthday of the user's ${kinOf(kin, which)} is ${day} (${named.date}).`,
  };
}

/** The words with a capital letter that it begins with; all of them in a text without capital letters. */
function nameIn(written: string, said: Said): string {
  const capital = /^\p{Lu}[\p{L}'’-]*(?:(?:,? and |, | )\p{Lu}[\p{L}'’-]*)*/u.exec(written)?.[0];
  return clean(said.isLower ? written : (capital ?? written));
}
