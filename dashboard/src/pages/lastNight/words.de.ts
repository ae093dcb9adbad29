import { numberText, shareText } from '../../words/format.ts';
import type { LastNightWords } from './words.en.ts';

const words: LastNightWords = {
  title: 'Letzte Nacht',
  about:
    'Was eine Durchsicht mit Ihrem Gedächtnis gemacht hat, mit Gründen. Jede Änderung lässt sich zurücknehmen.',
  views: 'Was gezeigt wird',
  sweeps: 'Durchsichten',
  otherwise: 'Mit anderen Grenzen',
  runNow: 'Jetzt durchsehen',
  running: 'Wird durchgesehen …',
  swept: (changes) =>
    changes === 1
      ? 'Die Durchsicht hat eines geändert'
      : `Die Durchsicht hat ${numberText(changes)} Dinge geändert`,
  which: 'Durchsicht',
  changesOf: (when, changes) => `${when}: ${numberText(changes)} Änderungen`,
  none: 'Noch keine Durchsicht',
  noneNext:
    'Jede Nacht um drei wird das Gedächtnis durchgesehen: Gleiches wird eines, lange nicht Gehörtes unsicherer, zu Unsicheres beiseitegelegt.',
  noneBefore: 'Bis dahin gab es keine Durchsicht, oder ihr Bericht ist nicht mehr da.',
  nothing: 'Diese Durchsicht hat nichts geändert',
  nothingNext: 'Alles war in Ordnung: nichts alt, nichts doppelt, nichts zu unsicher.',
  looked: (conclusions, episodes) =>
    `${numberText(conclusions)} Annahmen und ${numberText(episodes)} Episoden wurden angesehen.`,
  cut: (most) =>
    `Der Bericht nennt die ersten ${numberText(most)} Änderungen. Das Protokoll hat alle, und alles zurücknehmen heißt alles.`,
  groups: {
    low_confidence: 'Beiseitegelegt, zu unsicher',
    redundant: 'Eines mit einem anderen',
    contradiction: 'Widersprüche gefunden',
    decay: 'Unsicherer geworden',
    stale: 'Lange nicht gehört',
    orphan: 'Episoden, auf denen nichts ruht',
  },
  into: 'jetzt Teil von',
  against: 'gegen',
  was: (from, to) => `${shareText(from)} → ${shareText(to)}`,
  unflagged: 'wieder gehört: Die Markierung ist weg',
  erased: 'seitdem gelöscht',
  noText: 'eine Episode',
  reasons: {
    low_confidence: (value, limit) => `${shareText(value)} liegt unter ${shareText(limit)}`,
    stale: (value, limit) => `seit ${numberText(value)} Tagen nicht gehört; alt nach ${numberText(limit)}`,
    redundant: (value) => `sagt dasselbe: zu ${shareText(value)} gleich`,
    orphan: (value, limit) =>
      `zählt ${numberText(value)} von 10, unter ${numberText(limit)}, und nichts folgt daraus`,
    decay: (value) => `alt: mal ${numberText(value)}`,
    contradiction: (value) => `kann nicht beides sein; zu ${shareText(value)} gleich`,
  },
  takenBack: 'Zurückgenommen oder seitdem geändert',
  undo: 'Zurücknehmen',
  undone: 'Zurückgenommen',
  changedSince: 'Es wurde seitdem geändert und bleibt, wie es ist',
  undoAll: 'Alles zurücknehmen',
  undoAllTitle: 'Diese Durchsicht zurücknehmen?',
  undoAllText:
    'Was sie beiseitelegte oder vereinte, gilt wieder, die Sicherheit ist wie vorher, und Widersprüche, die sie fand, gelten als keine. Was seitdem geändert wurde, bleibt.',
  undoneAll: (undone, left) =>
    left === 0
      ? `${numberText(undone)} zurückgenommen`
      : `${numberText(undone)} zurückgenommen; ${numberText(left)} wurden seitdem geändert und bleiben`,
  why: 'Warum',
  preview: 'Was eine Durchsicht mit diesen Grenzen jetzt täte. Geschrieben wird nichts.',
  thresholds: {
    prune: 'Unter dieser Sicherheit beiseitelegen',
    stale: 'Alt nach so vielen Tagen',
    decay: 'Die Sicherheit von Altem wird malgenommen mit',
    similarity: 'Gleich ab dieser Ähnlichkeit',
    orphan: 'Episoden, die weniger zählen als dies (von 10)',
  },
  usual: (value) => `jetzt ${value}`,
  reset: 'Wie eingestellt',
  toSettings: 'Sie stehen in den Einstellungen; diese Seite ändert keine.',
  would: (changes) =>
    changes === 1
      ? 'Damit würde eine Durchsicht eines ändern.'
      : `Damit würde eine Durchsicht ${numberText(changes)} Dinge ändern.`,
  wouldNothing: 'Damit würde eine Durchsicht nichts ändern.',
  looking: 'Wird angesehen …',
};

export default words;
