import { wordsOf } from './words.ts';

/** Words of the bar through which the whole page is seen as it was. */
export const time = await wordsOf({ en: () => import('./time.en.ts'), de: () => import('./time.de.ts') });
