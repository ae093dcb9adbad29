import { piece } from '../regExp.ts';

/** As people call those of their family, for patterns. */
export const KIN = piece`
  sister|brother|mother|father|mom|mum|dad|wife|husband|partner|spouse|son|daughter|girlfriend|boyfriend
  |fianc[eé]e?|aunt|uncle|cousin|niece|nephew|grandmother|grandfather|grandma|grandpa`;

/** Other words for the same. */
const plainWords: Readonly<Record<string, string>> = {
  mom: 'mother',
  mum: 'mother',
  mama: 'mother',
  mommy: 'mother',
  dad: 'father',
  daddy: 'father',
  papa: 'father',
  grandma: 'grandmother',
  granny: 'grandmother',
  grandpa: 'grandfather',
  fiance: 'fiancé',
  fiancee: 'fiancé',
  fiancée: 'fiancé',
};

export function plainKin(word: string): string {
  return plainWords[word] ?? word;
}
