import { wordsOf } from './words.ts';

/** Words of what stands around every page. */
export const shell = await wordsOf({ en: () => import('./shell.en.ts'), de: () => import('./shell.de.ts') });
