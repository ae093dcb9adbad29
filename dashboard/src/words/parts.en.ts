import type { RefusalText } from '../api/operations.d.ts';
import { numberText } from './format.ts';

/** What the service says in the words of the reader; in English it says it itself. */
const refusals: Partial<Record<RefusalText, string>> = {};

const words = {
  cancel: 'Cancel',
  close: 'Close',
  undo: 'Undo',
  undone: 'Undone',
  again: 'Try again',
  loading: 'Loading…',
  more: 'More',
  next: 'Next row',
  previous: 'Previous row',
  newsWaits: 'What is new waits until your hand rests or leaves the list.',
  rowGone: 'The row that you were at is gone. Press the key again for this one.',
  onlyNow: 'This page always shows the present.',
  moreOf: (shown: number, total: number) => `More (${numberText(shown)} of ${numberText(total)})`,
  overTime: 'How certain, over time',
  certainOn: (share: string, day: string) => `${share} on ${day}`,
  showAll: (characters: number) => `Show all ${numberText(characters)} characters`,
  nobodyThere: 'The service does not answer',
  nobodyThereNext: 'Is it running, and is this machine on its network?',
  byItself: 'The page tries again by itself.',
  refused: 'That did not work',
  tooMany: 'Too many requests',
  tooManyNext: (seconds: number) => `The service takes the next in ${seconds} s.`,
  notFound: 'That is not here',
  notFoundNext: 'It may have been deleted, or it did not exist yet at this moment.',
  forgottenMeanwhile: 'This was forgotten meanwhile. Send again to add what you wrote.',
  refusals,
  reference: 'Reference',
};

export type PartsWords = typeof words;
export default words;
