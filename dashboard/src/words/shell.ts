import { aroundWords } from './words.ts';

/** Words of what stands around every page. */
export const shell = await aroundWords((all) => all.shell);
