import { numberText } from '../../words/format.ts';
import type { SpendWords } from './words.en.ts';

const words: SpendWords = {
  title: 'Ausgaben',
  about: 'Was Ihre Gespräche von Modellen verlangt haben, zu den Preisen von damals.',
  span: 'Zeitraum',
  spans: {
    '7': 'die letzten 7 Tage',
    '30': 'die letzten 30 Tage',
    '90': 'die letzten 90 Tage',
    '400': 'die letzten 400 Tage',
  },
  total: 'Zusammen',
  requests: (count) => (count === 1 ? '1 Anfrage' : `${numberText(count)} Anfragen`),
  tabs: { day: 'Je Tag', model: 'Je Modell', session: 'Je Gespräch' },
  chart: 'Ausgaben je Tag',
  chartTokens: 'Tokens je Tag',
  day: 'Tag (UTC)',
  model: 'Modell',
  session: 'Gespräch',
  requestsHead: 'Anfragen',
  input: 'Tokens hinein',
  output: 'Tokens heraus',
  price: 'Preis',
  unknown: 'unbekannt',
  empty: 'In diesem Zeitraum wurde kein Modell gefragt',
  emptyNext: 'Jede Nachricht zählt, sobald sie beantwortet ist.',
  chat: 'Ein Gespräch beginnen',
  left: 'Was im Hintergrund gefragt wird, etwa um das Gedächtnis zu ordnen, zählt hier nicht, ebenso keine abgebrochene Antwort.',
};

export default words;
