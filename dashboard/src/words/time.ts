import { pageWords } from './words.ts';

/** Words of the bar through which the whole page is seen as it was. */
export const time = await pageWords((all) => all.time);
