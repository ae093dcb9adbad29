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
  refusals: {
    'Validation failed': 'Eine Angabe stimmt nicht.',
    'The content is too large': 'Das ist zu groß.',
    Forbidden: 'Das ist hier nicht erlaubt.',
    'The state changed meanwhile; try again':
      'Inzwischen hat sich etwas geändert. Versuchen Sie es noch einmal.',
    'Something was erased meanwhile; try again':
      'Inzwischen wurde etwas gelöscht. Versuchen Sie es noch einmal.',
    'Internal error': 'Im Dienst ging etwas schief; mehr sagt sein Protokoll unter der Kennung.',
    'The service is starting or stopping; try again': 'Der Dienst startet gerade oder hält an.',
    'Key-value store not available': 'Das Protokoll ist nicht erreichbar.',
    'Storage is full; nothing was written': 'Der Speicher ist voll. Nichts wurde geschrieben.',
    'Stored provider keys are not available': 'Gespeicherte Schlüssel sind nicht zugänglich.',
    'A backup is being made already': 'Es entsteht schon eine Kopie.',
    'The container could not be installed': 'Der Container ließ sich nicht einrichten.',
    'Memory is off for this user (preference persistMemory)':
      'Das Gedächtnis ist aus. Unter Einstellungen, „Sie“, schalten Sie es ein.',
    'Scheduler not available': 'Die Zeitpläne sind nicht bereit.',
    'The schedule would trigger itself in a loop': 'Der Zeitplan würde sich selbst auslösen.',
    'A turn still runs in the session: cancel it, or wait until it is over':
      'Hier läuft noch eine Antwort: Brechen Sie sie ab, oder warten Sie.',
    'The conversation has ended: ask again without `replaces`':
      'Das Gespräch ist beendet. Fragen Sie in einem neuen.',
    'No model of the slot accepts images': 'Keins der gewählten Modelle nimmt Bilder an.',
    'The execution has ended': 'Der Ablauf ist schon beendet.',
    'No model answers. Store a provider key, start the local runner, or try hark demo':
      'Kein Modell antwortet. Hinterlegen Sie einen Schlüssel, oder starten Sie Ollama.',
    'The model took too long to answer': 'Das Modell brauchte zu lange.',
    'The provider does not answer': 'Der Anbieter antwortet nicht.',
    'Provider not configured': 'Für diesen Anbieter fehlt ein Schlüssel.',
    'The local model runner cannot be reached': 'Ollama ist nicht erreichbar.',
    'The pairing code is unknown, used, too old or meant for another type of device':
      'Der Code ist unbekannt, verbraucht, zu alt oder für eine andere Art Gerät.',
    'Nobody has consented to this': 'Dem hat niemand zugestimmt.',
    'The model is not downloaded': 'Das Modell ist nicht heruntergeladen.',
  },
  reference: 'Kennung',
};

export default words;
