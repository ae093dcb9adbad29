import { numberText } from './format.ts';

/** By type of event, what it was. */
const changes: Readonly<Record<string, string>> = {
  'memory.conclusion.drawn': 'something was learned',
  'memory.conclusion.strengthened': 'something was heard again',
  'memory.conclusion.superseded': 'a fact was replaced',
  'memory.conclusion.contradicted': 'a contradiction was noticed',
  'memory.contradiction.detected': 'a sweep found a contradiction',
  'memory.contradiction.settled': 'a contradiction was settled',
  'memory.conclusion.restored': 'a conclusion was restored',
  'memory.conclusion.flagged': 'a conclusion was flagged as stale',
  'memory.conclusion.decayed': 'a conclusion became less certain',
  'memory.conclusion.merged': 'two conclusions became one',
  'memory.conclusion.pruned': 'a conclusion was put aside',
  'memory.conclusions.erased': 'conclusions were erased',
  'memory.conclusions.dismissed': 'conclusions were put aside',
  'memory.episode.created': 'an episode was kept',
  'memory.episode.flagged': 'an episode was flagged',
  'memory.episode.unflagged': 'a flag was removed',
  'memory.episodes.erased': 'episodes were erased',
  'memory.episodes.expired': 'episodes expired',
  'memory.profile.changed': 'the profile changed',
  'memory.erased': 'all memory was erased',
  'entities.entity.mentioned': 'somebody or something was named',
  'entities.entity.changed': 'an entity was corrected',
  'entities.entity.merged': 'two entities became one',
  'entities.entity.unmerged': 'two entities were separated',
  'entities.relationship.stated': 'a relationship was learned',
  'entities.erased': 'entities were erased',
};

const words = {
  changes,
  bar: 'Time',
  shown: 'The moment that is shown',
  now: 'Now',
  stepBack: 'One change back',
  stepForward: 'One change forward',
  backToNow: 'Back to now',
  before: (when: string) => `${when}, before anything was remembered`,
  several: (when: string, count: string) => `${when}, after ${count} changes`,
  one: (when: string, what: string) => `${when}: ${what}`,
  isPast: (when: string) => `You see the past: ${when}. Nothing can be changed here.`,
  compare: 'Compare with now',
  restore: 'Restore from here',
  compared: (when: string) => `From ${when} until now`,
  same: 'Nothing is different now.',
  others: 'Other changes',
  areas: { entities: 'Entity', episodes: 'Episode', schedules: 'Task', settings: 'Setting' },
  gone: 'No longer believed',
  added: 'Believed since',
  changed: 'More or less certain since',
  profile: 'The profile',
  fields: {
    name: 'Name',
    communicationStyle: 'How to talk to you',
    patterns: 'Habits',
    preferences: 'Likes and dislikes',
  },
  erased: 'erased',
  pruned: 'put aside',
  replaced: 'replaced by another',
  restoreTitle: (when: string) => `Restore from ${when}`,
  restoreAbout: 'What was different then. A restored conclusion counts beside what is believed now.',
  nothingToRestore: 'There is nothing that can be restored.',
  erasedStays: (count: number) =>
    count === 1
      ? 'One more was erased and cannot be restored.'
      : `${numberText(count)} more were erased and cannot be restored.`,
  restoreThese: (count: number) => (count === 1 ? 'Restore this one' : `Restore these ${numberText(count)}`),
  all: 'All',
  restored: (count: number) => (count === 1 ? 'One is restored' : `${numberText(count)} are restored`),
  notRestored: (count: number) =>
    count === 1 ? 'One could not be restored' : `${numberText(count)} could not be restored`,
  done: 'Done',
};

export type TimeWords = typeof words;
export default words;
