import { numberText } from '../../words/format.ts';
import type { CaptureWords } from './words.en.ts';

const words: CaptureWords = {
  title: 'Aufzeichnung',
  about: 'Was Geräte um Sie herum aufzeichnen dürfen. Ohne Ihre Zustimmung nichts.',
  nothing: 'Es wird nichts aufgezeichnet',
  recording: (devices) => `Aufzeichnung läuft: ${devices}`,
  paused: (until) => `Pause bis ${until}`,
  pauseFor: 'Anhalten für',
  lengths: { 15: '15 Minuten', 60: 'eine Stunde', 480: '8 Stunden', 1440: 'einen Tag' },
  resume: 'Pause beenden',
  stop: 'Beenden',
  stopped: 'Beendet',
  consent: 'Zustimmung',
  consentAbout: 'Für jedes Gerät, und nur von Ihnen: ein Gerät kann sie weder geben noch ansehen.',
  device: 'Gerät',
  deviceId: 'Kennung des Geräts',
  addDevice: 'Ein anderes Gerät',
  look: 'Zustimmung zeigen',
  level: 'Was behalten wird',
  levels: {
    none: 'Nichts',
    passive: 'Nur Worte: Ton und Bilder werden sofort zu Worten',
    active: 'Worte, und Ton und Bilder, bis sie Worte sind',
    full: 'Worte, Ton und Bilder, so lange wie das Gedächtnis',
  },
  jurisdiction: 'Rechtsraum, Ihre eigene Notiz',
  given: 'Zustimmung gegeben',
  save: 'Zustimmung speichern',
  saveTitle: 'Ändern, was dieses Gerät aufzeichnen darf?',
  saveText: (device, level) => `${device}: ${level}. Ein Strom folgt der Änderung sofort.`,
  saved: 'Zustimmung gespeichert',
  noDevices:
    'Noch darf kein Gerät aufzeichnen. Wählen Sie eins von Ihren, oder nennen Sie eins mit seiner Kennung.',
  streams: 'Ströme',
  noStreams: 'Noch kein Strom',
  noStreamsNext: 'Ein Gerät mit Ihrer Zustimmung beginnt einen; er erscheint hier, sobald er läuft.',
  states: { active: 'zeichnet auf', paused: 'angehalten', stopped: 'beendet' },
  segments: (count) => `${numberText(count)} Abschnitte`,
  modes: {
    'active-participant': 'nimmt teil',
    'passive-observation': 'beobachtet',
    ambient: 'nebenbei',
  },
  forget: 'Die letzten Minuten löschen',
  forgetMinutes: 'Minuten',
  forgetTitle: 'Aufgezeichnetes löschen?',
  forgetText: (minutes) =>
    `Alles, was in den letzten ${numberText(minutes)} Minuten aufgezeichnet wurde, wird unlesbar, mit den Episoden und Annahmen, die nur darauf beruhen.`,
  forgetIt: 'Löschen',
  forgotten: (segments, episodes, conclusions) =>
    `Gelöscht: ${numberText(segments)} Abschnitte, ${numberText(episodes)} Episoden, ${numberText(conclusions)} Annahmen.`,
};

export default words;
