import { wordsOf } from './words.ts';

/** Words of the bar through which the whole page is seen as it was. */
export const time = await wordsOf(
  () => import('./time.en.ts'),
  (german) => german.time,
);
