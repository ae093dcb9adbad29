import type { SettingsWords } from './words.en.ts';

const words: SettingsWords = {
  title: 'Einstellungen',
  about: 'Was der Dienst tut, und was er für Sie tut. Das meiste gilt sofort.',
  service: 'Der Dienst',
  you: 'Sie',
  browser: 'Dieser Browser',
  search: 'Eine Einstellung finden',
  none: 'Keine Einstellung hat das in Namen oder Beschreibung',
  sources: { default: 'voreingestellt', env: 'aus der Umgebung', runtime: 'hier geändert' },
  restart: 'gilt ab dem nächsten Start',
  unset: 'Zurück zur Voreinstellung',
  save: 'Speichern',
  on: 'an',
  off: 'aus',
  ask: 'Diese Einstellungen speichern?',
  was: (name, before, after) => `${name}: ${before} → ${after}`,
  saved: 'Gespeichert',
  preferences: {
    persistMemory: 'Im Gedächtnis behalten, was ich sage',
    storeTranscripts: 'Die Worte von Gesprächen behalten',
    storeAudio: 'Gesprochenes als verschlüsselten Ton behalten',
    timezone: 'Zeitzone',
    locale: 'Gebietsschema',
    language: 'Sprache der Antworten',
    voice: 'Stimme',
  },
  memoryNote: 'Ist das aus, bleibt nichts Neues im Gedächtnis. Bekanntes bleibt, bis Sie es löschen.',
  zone: (zone) => `hark nennt Ihnen Zeiten in der Zone ${zone}.`,
  useZone: (zone) => `${zone} nehmen, wie dieser Browser`,
  user: 'Benutzer',
  userHint: 'Wessen Chats und Gedächtnis dieser Browser zeigt, wo mehrere den Dienst teilen.',
  useUser: 'Diesen Benutzer zeigen',
};

export default words;
