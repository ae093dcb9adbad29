import { numberText } from '../../words/format.ts';

/** By type of event, what it means for the conclusion. */
const links: Readonly<Record<string, string>> = {
  'chat.message.received': 'Said in a conversation',
  'memory.conversation.imported': 'Said elsewhere',
  'memory.episode.created': 'Kept as an episode',
  'memory.conclusion.drawn': 'Concluded',
  'memory.conclusion.strengthened': 'Heard again',
  'memory.conclusion.superseded': 'One replaced another',
  'memory.conclusion.contradicted': 'Contradicted',
  'memory.contradiction.detected': 'A sweep found a contradiction',
  'memory.contradiction.settled': 'A contradiction was settled',
  'memory.conclusion.restored': 'Restored',
  'memory.conclusion.flagged': 'A sweep looked at its age',
  'memory.conclusion.decayed': 'A sweep made it less certain',
  'memory.conclusion.merged': 'A sweep merged two',
  'memory.conclusion.pruned': 'A sweep put it aside',
  'memory.conclusions.erased': 'Erased',
  'memory.conclusions.dismissed': 'Put aside',
};

const words = {
  title: 'Why',
  about: 'What is believed about you, and the words that it rests on.',
  search: 'Find a conclusion, or ask',
  hint: 'A word of it, or a question',
  ask: 'Answer from memory',
  unknown: 'Nothing that is remembered answers this.',
  restsOn: 'It rests on',
  beliefs: 'Conclusions',
  open: 'Why this is believed',
  none: 'No conclusion has these words',
  noneNext: 'Try another word. The page Memory also finds what was put aside.',
  empty: 'Nothing is believed about you yet',
  emptyNext: 'Tell something about yourself in the chat, or add a conclusion on the page Memory.',
  all: 'All conclusions',
  showing: (shown: number, all: number) => `${numberText(shown)} of ${numberText(all)}`,
  confidence: 'Confidence',
  setAside: 'set aside since for another version',
  since: 'Believed since',
  kinds: { explicit: 'said by you', inferred: 'inferred', corrected: 'corrected by you' },
  state: 'State',
  states: { active: 'believed', pruned: 'put aside', merged: 'replaced' },
  stale: 'not heard of for long',
  replaced: 'It replaced',
  replacedBy: 'Replaced by',
  contradicted: 'It contradicts',
  chain: 'What it rests on',
  chainAbout: 'The newest first, back to the words. Each is an event of the log.',
  links,
  event: (position: number) => `event ${numberText(position)}`,
  erased: 'erased: these words are gone',
  inLog: 'In the log',
  noWords: 'It rests on no words of yours: it was added or imported.',
};

export type WhyWords = typeof words;
export default words;
