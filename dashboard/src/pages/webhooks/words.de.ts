import { numberText } from '../../words/format.ts';
import type { WebhooksWords } from './words.en.ts';

const words: WebhooksWords = {
  title: 'Webhooks',
  about:
    'Adressen, an die Ereignisse geschickt werden, sobald sie geschehen, unterschrieben nach Standard Webhooks.',
  list: 'Webhooks',
  next: 'Nächster',
  previous: 'Voriger',
  add: 'Webhook hinzufügen',
  addAction: 'Hinzufügen',
  added: 'Hinzugefügt',
  empty: 'Noch kein Webhook',
  emptyNext:
    'Nennen Sie eine Adresse und Themen: Jedes Ereignis dazu wird dorthin geschickt, in der Reihenfolge des Protokolls.',
  change: 'Ändern',
  changeTitle: 'Webhook ändern',
  save: 'Speichern',
  saved: 'Geändert',
  url: 'Adresse',
  urlHint: 'Eine öffentliche https-Adresse, wenn der Dienst nicht andere erlaubt.',
  topics: 'Themen',
  topicsHint:
    'Eines je Zeile: die Art eines Ereignisses, ein Name, den ein Zeitplan oder Ablauf veröffentlicht, oder der Anfang von Namen mit * am Ende, wie memory.*',
  secret: 'Geheimnis',
  secretHint: 'whsec_ und 24 bis 64 Bytes in Base64. Leer: Eines wird erzeugt.',
  secretStays: 'Leer behält er das vorhandene. Es wird nie wieder gezeigt.',
  secretTitle: 'Das Geheimnis dieses Webhooks',
  secretOnce: 'Damit prüft der Empfänger die Unterschriften. Es wird nur dieses eine Mal gezeigt.',
  secretKept: 'Ich habe es aufbewahrt',
  states: { active: 'aktiv', paused: 'angehalten' },
  because: { asked: 'von Hand angehalten', dead: 'angehalten, weil sich nichts zustellen ließ' },
  pause: 'Anhalten',
  paused: 'Angehalten',
  resume: 'Fortsetzen',
  resumed: 'Geht weiter, wo er stand',
  remove: 'Löschen',
  removeTitle: 'Diesen Webhook löschen?',
  removeText:
    'Seine Adresse und sein Geheimnis werden gelöscht. Was noch nicht zugestellt ist, wird nicht zugestellt.',
  removed: 'Gelöscht',
  actionsOf: 'Was damit zu tun ist',
  deliveries: 'Gescheiterte Zustellungen',
  deliveriesNone: 'Bisher kam jede Zustellung an.',
  when: 'Wann',
  what: 'Ereignis',
  why: 'Warum',
  again: 'Wieder versucht',
  inARow: 'In Folge',
  notAgain: 'nicht von selbst',
  arrived: 'wieder zugestellt',
  forgotten: 'vergessene Adresse',
  failures: (count) => (count === 1 ? 'einmal gescheitert' : `${numberText(count)}-mal in Folge gescheitert`),
  retry: 'wird wieder versucht',
};

export default words;
