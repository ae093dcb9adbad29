import { wordsOf } from '../../words/words.ts';

export const words = await wordsOf({ en: () => import('./words.en.ts'), de: () => import('./words.de.ts') });
