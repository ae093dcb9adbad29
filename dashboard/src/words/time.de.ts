import { numberText } from './format.ts';
import type { TimeWords } from './time.en.ts';

const words: TimeWords = {
  changes: {
    'memory.conclusion.drawn': 'etwas wurde gelernt',
    'memory.conclusion.strengthened': 'etwas wurde wieder gehört',
    'memory.conclusion.superseded': 'eine Annahme wurde ersetzt',
    'memory.conclusion.contradicted': 'ein Widerspruch fiel auf',
    'memory.contradiction.detected': 'eine Durchsicht fand einen Widerspruch',
    'memory.contradiction.settled': 'ein Widerspruch wurde entschieden',
    'memory.conclusion.restored': 'eine Annahme wurde wiederhergestellt',
    'memory.conclusion.flagged': 'eine Annahme wurde als alt markiert',
    'memory.conclusion.decayed': 'eine Annahme wurde unsicherer',
    'memory.conclusion.merged': 'zwei Annahmen wurden eine',
    'memory.conclusion.pruned': 'eine Annahme wurde beiseitegelegt',
    'memory.conclusions.erased': 'Annahmen wurden gelöscht',
    'memory.conclusions.dismissed': 'Annahmen wurden beiseitegelegt',
    'memory.episode.created': 'eine Episode wurde behalten',
    'memory.episode.flagged': 'eine Episode wurde markiert',
    'memory.episode.unflagged': 'eine Markierung wurde zurückgenommen',
    'memory.episodes.erased': 'Episoden wurden gelöscht',
    'memory.episodes.expired': 'Episoden liefen ab',
    'memory.profile.changed': 'das Profil änderte sich',
    'memory.erased': 'das ganze Gedächtnis wurde gelöscht',
    'entities.entity.mentioned': 'jemand oder etwas wurde genannt',
    'entities.entity.changed': 'ein Eintrag wurde berichtigt',
    'entities.entity.merged': 'zwei Einträge wurden einer',
    'entities.entity.unmerged': 'zwei Einträge wurden getrennt',
    'entities.relationship.stated': 'eine Beziehung wurde gelernt',
    'entities.erased': 'Einträge wurden gelöscht',
    'tools.server.connected': 'ein Werkzeugserver wurde erreicht',
    'tools.server.changed': 'ein Werkzeugserver bot andere Werkzeuge an',
    'tools.server.disconnected': 'ein Werkzeugserver ging verloren',
    'tools.server.removed': 'ein Werkzeugserver wurde entfernt',
    'models.model.downloaded': 'ein Modell wurde geladen',
    'models.model.found': 'ein Modell wurde gefunden',
    'models.model.removed': 'ein Modell wurde entfernt',
    'models.model.benchmarked': 'ein Modell wurde gemessen',
  },
  bar: 'Zeit',
  shown: 'Der gezeigte Zeitpunkt',
  now: 'Jetzt',
  stepBack: 'Eine Änderung zurück',
  stepForward: 'Eine Änderung vor',
  backToNow: 'Zurück zu jetzt',
  before: (when) => `${when}, vor der ersten Änderung`,
  several: (when, count) => `${when}, nach ${count} Änderungen`,
  one: (when, what) => `${when}: ${what}`,
  isPast: (when) => `Sie sehen die Vergangenheit: ${when}. Hier lässt sich nichts ändern.`,
  compare: 'Mit jetzt vergleichen',
  restore: 'Von hier wiederherstellen',
  compared: (when) => `Von ${when} bis jetzt`,
  same: 'Nichts ist heute anders.',
  others: 'Andere Änderungen',
  areas: { entities: 'Eintrag', episodes: 'Episode', schedules: 'Aufgabe', settings: 'Einstellung' },
  gone: 'Nicht mehr angenommen',
  added: 'Seitdem angenommen',
  changed: 'Seitdem sicherer oder unsicherer',
  profile: 'Das Profil',
  fields: {
    name: 'Name',
    communicationStyle: 'Wie mit Ihnen zu sprechen ist',
    patterns: 'Gewohnheiten',
    preferences: 'Vorlieben',
  },
  erased: 'gelöscht',
  pruned: 'beiseitegelegt',
  replaced: 'durch anderes ersetzt',
  restoreTitle: (when) => `Wiederherstellen von ${when}`,
  restoreAbout: 'Was damals anders war. Eine Annahme gilt dann wieder, neben dem, was jetzt gilt.',
  nothingToRestore: 'Es gibt nichts wiederherzustellen.',
  erasedStays: (count) =>
    count === 1
      ? 'Eine weitere wurde gelöscht und lässt sich nicht wiederherstellen.'
      : `${numberText(count)} weitere wurden gelöscht und lassen sich nicht wiederherstellen.`,
  restoreThese: (count) =>
    count === 1 ? 'Diese wiederherstellen' : `Diese ${numberText(count)} wiederherstellen`,
  all: 'Alle',
  restored: (count) =>
    count === 1 ? 'Eine ist wiederhergestellt' : `${numberText(count)} sind wiederhergestellt`,
  notRestored: (count) =>
    count === 1
      ? 'Eine ließ sich nicht wiederherstellen'
      : `${numberText(count)} ließen sich nicht wiederherstellen`,
  done: 'Fertig',
};

export default words;
