import { numberText } from './format.ts';
import type { PartsWords } from './parts.en.ts';

const words: PartsWords = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  undo: 'Rückgängig',
  undone: 'Rückgängig gemacht',
  again: 'Noch einmal versuchen',
  loading: 'Wird geladen …',
  onlyNow: 'Was diese Seite zeigt, ist von jetzt.',
  more: 'Mehr',
  next: 'Nächste Zeile',
  previous: 'Vorige Zeile',
  newsWaits: 'Neues wartet, bis die Hand ruht oder die Liste verlässt.',
  rowGone: 'Die Zeile von eben ist weg. Die Taste noch einmal gilt dieser.',
  moreOf: (shown, total) => `Mehr (${numberText(shown)} von ${numberText(total)})`,
  overTime: 'Wie sicher, im Lauf der Zeit',
  certainOn: (share, day) => `${share} am ${day}`,
  showAll: (characters) => `Alle ${numberText(characters)} Zeichen zeigen`,
  nobodyThere: 'Der Dienst antwortet nicht',
  nobodyThereNext: 'Läuft er, und ist dieses Gerät in seinem Netz?',
  byItself: 'Er wird von selbst wieder gefragt.',
  refused: 'Das ging nicht',
  tooMany: 'Zu viele Anfragen',
  tooManyNext: (seconds) => `Der Dienst nimmt die nächste in ${seconds} s an.`,
  notFound: 'Das gibt es hier nicht',
  notFoundNext: 'Es wurde gelöscht, oder es war zu dem gezeigten Zeitpunkt noch nicht da.',
  forgottenMeanwhile: 'Das wurde inzwischen vergessen. Noch einmal senden fügt Ihren Satz hinzu.',
  reference: 'Kennung',
};

export default words;
