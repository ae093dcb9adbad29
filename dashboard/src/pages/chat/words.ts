import { pageWords } from '../../words/words.ts';

export const words = await pageWords((all) => all.chat);
