import { numberText } from '../../words/format.ts';

const words = {
  title: 'Spend',
  about: 'What your turns have asked of models, at the prices of then.',
  span: 'Span',
  spans: {
    '7': 'the last 7 days',
    '30': 'the last 30 days',
    '90': 'the last 90 days',
    '400': 'the last 400 days',
  },
  total: 'In all',
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
  empty: 'Nothing was asked of a model in this span',
  emptyNext: 'Each turn of a chat counts as soon as it is answered.',
  chat: 'Begin a chat',
  left: 'What is asked in the background, as to consolidate memory, is not counted here, nor a reply that was broken off.',
};

export type SpendWords = typeof words;
export default words;
