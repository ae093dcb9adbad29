import { numberText } from '../../words/format.ts';
import type { ForgettingWords } from './words.en.ts';

const counted = (one: string, many: string) => (count: number) =>
  count === 1 ? `1 ${one}` : `${numberText(count)} ${many}`;

const words: ForgettingWords = {
  titles: {
    conclusion: 'Diese Annahme löschen',
    episode: 'Diese Episode löschen',
    session: 'Dieses Gespräch löschen',
    entity: 'Diesen Eintrag löschen',
    everything: 'Das ganze Gedächtnis löschen',
  },
  before: 'Das wird niemand mehr lesen können:',
  counts: {
    messages: counted('Nachricht', 'Nachrichten'),
    episodes: counted('Episode', 'Episoden'),
    conclusions: counted('Annahme', 'Annahmen'),
    entities: counted('Eintrag', 'Einträge'),
    relationships: counted('Beziehung', 'Beziehungen'),
    tasks: counted('Aufgabe mit Text, die endet', 'Aufgaben mit Text, die enden'),
  },
  profile: 'das Profil',
  conversations: 'alle Gespräche, mit jeder Nachricht',
  nothing: 'Davon ist nichts übrig.',
  alone: 'Nur die Annahme',
  aloneHint: 'Das Gespräch, aus dem sie kam, bleibt und sagt es weiterhin.',
  withWords: 'Mit den Worten, aus denen sie kam',
  how: 'Wie viel davon',
  final:
    'Das lässt sich nicht zurücknehmen. hark vernichtet die Schlüssel zu diesen Worten; auch Abbilder und spätere Sicherungen zeigen sie nicht mehr.',
  sure: 'Ich meine alles davon',
  erase: 'Endgültig löschen',
  erasing: 'Wird gelöscht …',
  receipt: 'Beleg',
  erasedAt: 'Gelöscht',
  gone: 'Niemand kann mehr lesen:',
  askedAgain: 'hark hat noch einmal gesucht und findet nichts mehr davon.',
  stillThere: (count) => `hark hat noch einmal gesucht und findet noch ${numberText(count)} davon.`,
  wordsLeft: (count) =>
    count === 1
      ? 'Eine Episode enthält seine Worte noch.'
      : `${numberText(count)} Episoden enthalten seine Worte noch.`,
  log: 'Das Protokoll sagt noch, dass es da war und gelöscht wurde, aber nicht, was es sagte:',
  position: 'Ereignis',
  what: 'Was',
  done: 'Fertig',
};

export default words;
