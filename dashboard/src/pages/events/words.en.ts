import { numberText } from '../../words/format.ts';

const words = {
  title: 'Events',
  about: 'The log of every change.',
  area: 'Area',
  all: 'Everything',
  type: 'Type',
  typeHint: 'Such as “memory.conclusion.drawn” or “memory.*”',
  show: 'Show',
  older: 'Older',
  newest: 'Newest',
  following: 'New events appear as they happen.',
  none: 'No events of this kind',
  noneNext: 'Choose another area, or do something: each change is an event.',
  erased: 'erased',
  event: (position: number) => `Event ${numberText(position)}`,
  fields: {
    position: 'Position',
    stream: 'Stream',
    version: 'Version',
    at: 'At',
    cause: 'Cause',
    causedBy: 'Follows',
  },
  data: 'What it says',
  erasedNext: 'Its personal text was erased. The log still says that it happened.',
  followed: 'What this set off',
  lookedAt: (from: string, to: string) => `Searched events ${from} to ${to}.`,
  lookBack: 'Search earlier',
  lookOn: 'Search further',
  followedAbout: 'What has the same cause, by when it happened.',
  after: 'After',
};

export type EventsWords = typeof words;
export default words;
