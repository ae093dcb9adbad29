import { numberText } from '../../words/format.ts';

const counted = (one: string, many: string) => (count: number) =>
  count === 1 ? `1 ${one}` : `${numberText(count)} ${many}`;

const words = {
  titles: {
    conclusion: 'Erase this conclusion',
    episode: 'Erase this episode',
    session: 'Erase this conversation',
    entity: 'Erase this entity',
    everything: 'Erase all memory',
  },
  before: 'Nobody will be able to read this any more:',
  counts: {
    messages: counted('message', 'messages'),
    episodes: counted('episode', 'episodes'),
    conclusions: counted('conclusion', 'conclusions'),
    entities: counted('entity', 'entities'),
    relationships: counted('relationship', 'relationships'),
    tasks: counted('task with text, which ends', 'tasks with text, which end'),
  },
  profile: 'the profile',
  conversations: 'all conversations, with every message',
  nothing: 'Nothing is left of it.',
  alone: 'Only the conclusion',
  aloneHint: 'The conversation that it came from stays, and still says it.',
  withWords: 'With the words that it came from',
  how: 'How much of it',
  final:
    'This cannot be taken back. hark destroys the keys to these words, so that snapshots and later backups do not show them either.',
  sure: 'I mean all of it',
  erase: 'Erase for good',
  erasing: 'Erasing…',
  receipt: 'Receipt',
  erasedAt: 'Erased',
  gone: 'Nobody can read any more:',
  askedAgain: 'hark has searched again, and finds nothing of it.',
  stillThere: (count: number) => `hark has searched again, and still finds ${numberText(count)} of it.`,
  wordsLeft: (count: number) =>
    count === 1
      ? 'One episode still holds its words.'
      : `${numberText(count)} episodes still hold its words.`,
  log: 'The log still says that it existed and was erased, but not what it said:',
  position: 'Event',
  what: 'What',
  done: 'Done',
};

export type ForgettingWords = typeof words;
export default words;
