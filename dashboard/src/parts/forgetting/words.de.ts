import { numberText } from '../../words/format.ts';
import type { ForgettingWords } from './words.en.ts';

const counted = (one: string, many: string) => (count: number) =>
  count === 1 ? `1 ${one}` : `${numberText(count)} ${many}`;

const words: ForgettingWords = {
  titles: {
    conclusion: 'Diesen Schluss löschen',
    episode: 'Diese Episode löschen',
    session: 'Dieses Gespräch löschen',
    entity: 'Löschen, was unter diesem Namen bekannt ist',
    everything: 'Das ganze Gedächtnis löschen',
  },
  before: 'Das wird niemand mehr lesen können:',
  counts: {
    messages: counted('Nachricht', 'Nachrichten'),
    episodes: counted('Episode', 'Episoden'),
    conclusions: counted('Schluss', 'Schlüsse'),
    entities: counted('Name', 'Namen'),
    relationships: counted('Beziehung', 'Beziehungen'),
    tasks: counted('Aufgabe endet, wenn sie Text enthält', 'Aufgaben enden, die mit Text'),
  },
  profile: 'das Profil',
  conversations: 'alle Gespräche, mit jeder Nachricht',
  nothing: 'Davon ist nichts übrig.',
  alone: 'Nur den Schluss',
  aloneHint: 'Das Gespräch, aus dem er kam, bleibt und sagt es weiterhin.',
  withWords: 'Mit den Worten, aus denen er kam',
  how: 'Wie viel davon',
  final:
    'Das lässt sich nicht zurücknehmen: die Schlüssel, unter denen diese Worte versiegelt sind, werden vernichtet, hier, in Abbildern und in späteren Sicherungen.',
  sure: 'Ich meine alles davon',
  erase: 'Endgültig löschen',
  erasing: 'Wird gelöscht …',
  receipt: 'Beleg',
  erasedAt: 'Gelöscht',
  gone: 'Niemand kann mehr lesen:',
  askedAgain: 'Eben noch einmal gefragt, findet der Dienst nichts mehr davon.',
  stillThere: (count) => `Eben noch einmal gefragt, findet der Dienst noch ${numberText(count)} davon.`,
  wordsLeft: (count) =>
    count === 1
      ? 'Eine Episode enthält seine Worte noch.'
      : `${numberText(count)} Episoden enthalten seine Worte noch.`,
  log: 'Das Protokoll sagt, dass es da war und gelöscht wurde, und nichts von dem, was es sagte:',
  position: 'Ereignis',
  what: 'Was',
  done: 'Fertig',
};

export default words;
