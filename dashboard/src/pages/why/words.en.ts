import { numberText } from '../../words/format.ts';

/** By type of event, what it means for the belief. */
const links: Readonly<Record<string, string>> = {
  'chat.message.received': 'Said in a conversation',
  'memory.conversation.imported': 'Said elsewhere',
  'memory.episode.created': 'Kept as an episode',
  'memory.conclusion.drawn': 'Concluded',
  'memory.conclusion.strengthened': 'Heard again',
  'memory.conclusion.superseded': 'One took the place of another',
  'memory.conclusion.contradicted': 'Contradicted',
  'memory.contradiction.detected': 'A sweep found a contradiction',
  'memory.contradiction.settled': 'A contradiction was settled',
  'memory.conclusion.restored': 'Restored',
  'memory.conclusion.flagged': 'A sweep looked at its age',
  'memory.conclusion.decayed': 'A sweep made it less certain',
  'memory.conclusion.merged': 'A sweep made one of two',
  'memory.conclusion.pruned': 'A sweep put it aside',
  'memory.conclusions.erased': 'Erased',
  'memory.conclusions.dismissed': 'Put aside',
};

const words = {
  title: 'Why',
  about: 'From something that is believed of you back to the words that it rests on.',
  search: 'Find a belief',
  hint: 'A word of it',
  beliefs: 'Beliefs',
  next: 'Next belief',
  previous: 'Previous belief',
  open: 'Why this is believed',
  none: 'No belief has these words',
  noneNext: 'Another word may find it. What was put aside is found on the page Memory.',
  empty: 'Nothing is believed of you yet',
  emptyNext: 'Tell something about yourself in the chat, or add a belief on the page Memory.',
  toChat: 'To the chat',
  all: 'All beliefs',
  showing: (shown: number, all: number) => `${numberText(shown)} of ${numberText(all)}`,
  confidence: 'Confidence',
  since: 'Believed since',
  kinds: { explicit: 'said by you', inferred: 'inferred', corrected: 'corrected by you' },
  state: 'State',
  states: { active: 'believed', pruned: 'put aside', merged: 'replaced' },
  stale: 'not heard of for long',
  replaced: 'It took the place of',
  replacedBy: 'It was replaced by',
  contradicted: 'It contradicts',
  chain: 'What it rests on',
  chainAbout: 'The newest first, back to the words. Each is an event of the log.',
  links,
  event: (position: number) => `event ${numberText(position)}`,
  erased: 'erased: these words are gone',
  inLog: 'As the log tells it',
  noWords: 'No words of yours are behind it: it was stated or brought in as it is.',
};

export type WhyWords = typeof words;
export default words;
