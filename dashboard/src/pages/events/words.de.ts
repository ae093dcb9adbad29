import { numberText } from '../../words/format.ts';
import type { EventsWords } from './words.en.ts';

const words: EventsWords = {
  title: 'Ereignisse',
  about: 'Das Protokoll jeder Änderung.',
  area: 'Bereich',
  all: 'Alles',
  type: 'Art',
  typeHint: 'Wie „memory.conclusion.drawn“, oder ein Anfang mit *',
  show: 'Zeigen',
  older: 'Ältere',
  newest: 'Neueste',
  following: 'Neue Ereignisse erscheinen, sobald sie geschehen.',
  none: 'Keine Ereignisse dieser Art',
  noneNext: 'Wählen Sie einen anderen Bereich, oder tun Sie etwas: jede Änderung ist ein Ereignis.',
  erased: 'gelöscht',
  event: (position) => `Ereignis ${numberText(position)}`,
  fields: {
    position: 'Position',
    stream: 'Strom',
    version: 'Version',
    at: 'Zeitpunkt',
    cause: 'Ursache',
    causedBy: 'Folgt auf',
  },
  data: 'Was es sagt',
  erasedNext: 'Sein persönlicher Text wurde gelöscht. Dass es geschah, steht noch im Protokoll.',
  lookedAt: (from, to) => `Angesehen wurden die Ereignisse ${from} bis ${to}.`,
  lookBack: 'Davor suchen',
  lookOn: 'Weiter suchen',
  followed: 'Was daraus folgte',
  followedAbout: 'Was dieselbe Ursache hat, nach der Zeit.',
  after: 'Nach',
};

export default words;
