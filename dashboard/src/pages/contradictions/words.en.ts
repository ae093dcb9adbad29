import { numberText } from '../../words/format.ts';

const words = {
  title: 'Contradictions',
  about:
    'Two conclusions that cannot both be true. Say which is; the other is no longer believed. Nothing is erased.',
  which: 'Which contradictions',
  open: 'Open',
  settled: 'Settled',
  of: (at: number, all: number) => `${numberText(at)} of ${numberText(all)}`,
  settledElsewhere: 'It was settled elsewhere.',
  next: 'Next contradiction',
  previous: 'Previous contradiction',
  left: 'Left',
  right: 'Right',
  keepLeft: 'Keep left',
  keepRight: 'Keep right',
  bothInTime: 'Both true in their time',
  none: 'Not a contradiction',
  decide: 'Which is true',
  kept: 'One is kept; the other is no longer believed.',
  inTime: 'The one heard of last is true now; the other was true before.',
  noneNow: 'Both are believed, and no sweep finds them again.',
  again: 'Open again',
  reopened: 'It is open again.',
  heard: 'Last heard of',
  confidence: 'Confidence',
  behind: 'The words behind it',
  noWords: 'It rests on no words of yours: it was added or imported.',
  erased: 'erased: these words are gone',
  why: 'Why it is believed',
  found: 'Found',
  similarity: 'alike',
  bySign: 'by its words',
  byModel: (name: string, share: string) => `${name}: ${share}`,
  inTalk: 'noticed in a conversation, or imported',
  noOpen: 'No contradictions',
  noOpenNext:
    'A sweep looks for them each night; a model in the slot maintenance or chat judges what it finds.',
  toLastNight: 'To last night’s sweep',
  noSettled: 'Nothing has been decided yet',
  noSettledNext: 'Decisions appear here, and can be taken back.',
  decisions: {
    kept: 'one was kept',
    'in-their-time': 'both in their time',
    'no-contradiction': 'no contradiction',
    open: 'open',
  },
  stepped: 'one is no longer believed',
};

export type ContradictionWords = typeof words;
export default words;
