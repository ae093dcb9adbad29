import { numberText } from '../../words/format.ts';

const counted = (one: string, many: string) => (count: number) =>
  count === 1 ? `1 ${one}` : `${numberText(count)} ${many}`;

const words = {
  titles: {
    conclusion: 'Erase this conclusion',
    episode: 'Erase this episode',
    session: 'Erase this conversation',
    entity: 'Erase what is known by this name',
    everything: 'Erase all memory',
  },
  before: 'This is what nobody will be able to read any more:',
  counts: {
    messages: counted('message', 'messages'),
    episodes: counted('episode', 'episodes'),
    conclusions: counted('conclusion', 'conclusions'),
    entities: counted('name', 'names'),
    relationships: counted('relationship', 'relationships'),
    tasks: counted('task that holds text ends', 'tasks end, those that hold text'),
  },
  profile: 'the profile',
  conversations: 'all conversations, with every message',
  nothing: 'Nothing is left of it.',
  alone: 'Only the conclusion',
  aloneHint: 'The conversation that it came from stays, and says it still.',
  withWords: 'With the words that it came from',
  how: 'How much of it',
  final:
    'It cannot be taken back: the keys that these words are sealed with are destroyed, here, in snapshots and in backups made later.',
  sure: 'I mean all of it',
  erase: 'Erase for good',
  erasing: 'Erasing…',
  receipt: 'Receipt',
  erasedAt: 'Erased',
  gone: 'Nobody can read any more:',
  askedAgain: 'Asked again just now, the service finds nothing of it.',
  stillThere: (count: number) => `Asked again just now, the service still finds ${numberText(count)} of it.`,
  wordsLeft: (count: number) =>
    count === 1
      ? 'One episode still holds its words.'
      : `${numberText(count)} episodes still hold its words.`,
  log: 'The log says that it was there and was erased, and nothing of what it said:',
  position: 'Event',
  what: 'What',
  done: 'Done',
};

export type ForgettingWords = typeof words;
export default words;
