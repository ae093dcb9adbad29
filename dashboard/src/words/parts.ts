import { aroundWords } from './words.ts';

/** Words of the parts that all pages are made of. */
export const parts = await aroundWords((all) => all.parts);
