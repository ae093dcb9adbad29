import { numberText } from '../../words/format.ts';
import type { ContradictionWords } from './words.en.ts';

const words: ContradictionWords = {
  title: 'Widersprüche',
  about:
    'Zwei Annahmen, die nicht beide stimmen können. Sagen Sie, welche stimmt; die andere tritt zurück, gelöscht wird nichts.',
  which: 'Welche Widersprüche',
  open: 'Offen',
  settled: 'Entschieden',
  of: (at, all) => `${numberText(at)} von ${numberText(all)}`,
  settledElsewhere: 'Er wurde anderswo entschieden.',
  next: 'Nächster Widerspruch',
  previous: 'Voriger Widerspruch',
  left: 'Links',
  right: 'Rechts',
  keepLeft: 'Links behalten',
  keepRight: 'Rechts behalten',
  bothInTime: 'Beide zu ihrer Zeit',
  none: 'Kein Widerspruch',
  decide: 'Was stimmt',
  kept: 'Eine gilt; die andere ist, was vorher angenommen wurde.',
  inTime: 'Das zuletzt Gehörte gilt jetzt, das andere galt vorher.',
  noneNow: 'Beide gelten, und keine Durchsicht findet sie wieder.',
  again: 'Wieder öffnen',
  reopened: 'Er ist wieder offen.',
  heard: 'Zuletzt gehört',
  confidence: 'Sicherheit',
  behind: 'Die Worte dahinter',
  noWords: 'Dahinter stehen keine Worte von Ihnen: Es wurde so eingetragen oder mitgebracht.',
  erased: 'gelöscht: diese Worte sind fort',
  why: 'Warum das angenommen wird',
  found: 'Gefunden',
  similarity: 'ähnlich',
  bySign: 'an den Worten',
  byModel: (name, share) => `${name}: ${share}`,
  inTalk: 'in einem Gespräch bemerkt oder mitgebracht',
  noOpen: 'Keine Widersprüche',
  noOpenNext:
    'Jede Nacht sucht eine Durchsicht danach; ein Modell im Platz maintenance oder chat beurteilt, was sie findet.',
  toLastNight: 'Zur Durchsicht der letzten Nacht',
  noSettled: 'Noch ist nichts entschieden',
  noSettledNext: 'Jede Entscheidung steht dann hier und lässt sich zurücknehmen.',
  decisions: {
    kept: 'eine gilt',
    'in-their-time': 'beide zu ihrer Zeit',
    'no-contradiction': 'kein Widerspruch',
    open: 'offen',
  },
  stepped: 'eine gilt nicht mehr',
};

export default words;
