import { wordsOf } from '../../words/words.ts';

export const words = await wordsOf(
  () => import('./words.en.ts'),
  (german) => german.settings,
);
