import { wordsOf } from './words.ts';

/** Words of what stands around every page. */
export const shell = await wordsOf(
  () => import('./shell.en.ts'),
  (german) => german.shell,
);
