import { numberText } from './format.ts';

const words = {
  cancel: 'Cancel',
  close: 'Close',
  undo: 'Undo',
  undone: 'Undone',
  again: 'Try again',
  loading: 'Loading…',
  more: 'More',
  onlyNow: 'What this page shows is as it is now.',
  moreOf: (shown: number, total: number) => `More (${numberText(shown)} of ${numberText(total)})`,
  overTime: 'How certain, over time',
  certainOn: (share: string, day: string) => `${share} on ${day}`,
  showAll: (characters: number) => `Show all ${numberText(characters)} characters`,
  nobodyThere: 'The service does not answer',
  nobodyThereNext: 'Is it running, and is this machine on its network?',
  byItself: 'It is asked again by itself.',
  refused: 'That did not work',
  tooMany: 'Too many requests',
  tooManyNext: (seconds: number) => `The service takes the next in ${seconds} s.`,
  notFound: 'That is not here',
  notFoundNext: 'It may have been deleted, or it was not there yet at the moment that is shown.',
  reference: 'Reference',
};

export type PartsWords = typeof words;
export default words;
