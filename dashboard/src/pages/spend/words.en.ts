import { numberText } from '../../words/format.ts';

const words = {
  title: 'Spend',
  about: 'What your turns cost, at the prices of their time.',
  span: 'Span',
  spans: {
    '7': 'the last 7 days',
    '30': 'the last 30 days',
    '90': 'the last 90 days',
    '400': 'the last 400 days',
  },
  total: 'Total',
  requests: (count: number) => (count === 1 ? '1 request' : `${numberText(count)} requests`),
  tabs: { day: 'By day', model: 'By model', session: 'By session' },
  chart: 'Spend by day',
  chartTokens: 'Tokens by day',
  day: 'Day (UTC)',
  model: 'Model',
  session: 'Session',
  requestsHead: 'Requests',
  input: 'Tokens in',
  output: 'Tokens out',
  price: 'Price',
  unknown: 'unknown',
  empty: 'No model was asked in this time',
  emptyNext: 'Each turn of a chat counts as soon as it is answered.',
  chat: 'Begin a chat',
  left: 'Background work, such as consolidating memory, and interrupted replies are not counted here.',
};

export type SpendWords = typeof words;
export default words;
