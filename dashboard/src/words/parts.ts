import { wordsOf } from './words.ts';

/** Words of the parts that all pages are made of. */
export const parts = await wordsOf(
  () => import('./parts.en.ts'),
  (german) => german.parts,
);
