import { wordsOf } from './words.ts';

/** Words of the parts that all pages are made of. */
export const parts = await wordsOf({ en: () => import('./parts.en.ts'), de: () => import('./parts.de.ts') });
