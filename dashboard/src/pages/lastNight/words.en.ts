import { numberText, shareText } from '../../words/format.ts';

const words = {
  title: 'Last night',
  about: 'What a sweep did to your memory, with its reasons. Each change can be taken back.',
  views: 'What is shown',
  sweeps: 'Sweeps',
  otherwise: 'With other thresholds',
  runNow: 'Sweep now',
  running: 'Sweeping…',
  swept: (changes: number) =>
    changes === 1 ? 'The sweep changed one thing' : `The sweep changed ${numberText(changes)} things`,
  which: 'Sweep',
  changesOf: (when: string, changes: number) => `${when}: ${numberText(changes)} changes`,
  none: 'No sweep yet',
  noneNext:
    'hark sweeps memory every night at three. It merges duplicates, makes what was not heard of for long less certain, and puts aside what is too uncertain.',
  noneBefore: 'No sweep had run by then, or its report is no longer kept.',
  nothing: 'This sweep changed nothing',
  nothingNext: 'Nothing in memory was stale, double or too uncertain.',
  looked: (conclusions: number, episodes: number) =>
    `It checked ${numberText(conclusions)} conclusions and ${numberText(episodes)} episodes.`,
  cut: (most: number) =>
    `The report names the first ${numberText(most)} changes. The log has all of them, and all can be taken back.`,
  groups: {
    low_confidence: 'Put aside, too uncertain',
    redundant: 'Merged with another',
    contradiction: 'Contradictions found',
    decay: 'Became less certain',
    stale: 'Not heard of for long',
    orphan: 'Episodes that nothing rests on',
  },
  into: 'now part of',
  against: 'against',
  was: (from: number, to: number) => `${shareText(from)} → ${shareText(to)}`,
  unflagged: 'heard of again: the flag is gone',
  erased: 'erased since',
  noText: 'an episode',
  /** Of the figure that was looked at, and the threshold that it was held against. */
  reasons: {
    low_confidence: (value: number, limit: number) => `${shareText(value)} is below ${shareText(limit)}`,
    stale: (value: number, limit: number) =>
      `not heard of for ${numberText(value)} days; stale after ${numberText(limit)}`,
    redundant: (value: number) => `says the same: ${shareText(value)} alike`,
    orphan: (value: number, limit: number) =>
      `it matters ${numberText(value)} of 10, below ${numberText(limit)}, and nothing is concluded from it`,
    decay: (value: number) => `stale: times ${numberText(value)}`,
    contradiction: (value: number) => `cannot both be so; ${shareText(value)} alike`,
  },
  takenBack: 'Taken back, or changed since',
  undo: 'Take back',
  undone: 'Taken back',
  changedSince: 'It was changed since, and stays as it is',
  undoAll: 'Take all of it back',
  undoAllTitle: 'Take back this sweep?',
  undoAllText:
    'What it put aside or merged is believed again, confidence is as before, and contradictions that it found are dropped. What was changed since stays.',
  undoneAll: (undone: number, left: number) =>
    left === 0
      ? `${numberText(undone)} taken back`
      : `${numberText(undone)} taken back; ${numberText(left)} were changed since and stay`,
  why: 'Why',
  preview: 'What a sweep would do now with these thresholds. Nothing is written.',
  thresholds: {
    prune: 'Put aside below this confidence',
    stale: 'Stale after so many days',
    decay: 'Confidence of what is stale is multiplied by',
    similarity: 'The same from this similarity on',
    orphan: 'Episodes that matter less than this (of 10)',
  },
  usual: (value: string) => `now ${value}`,
  reset: 'Back to the settings',
  toSettings: 'This page only tries them; change them under Settings.',
  would: (changes: number) =>
    changes === 1
      ? 'A sweep with these would change one thing.'
      : `A sweep with these would change ${numberText(changes)} things.`,
  wouldNothing: 'A sweep with these would change nothing.',
  looking: 'Looking…',
};

export type LastNightWords = typeof words;
export default words;
