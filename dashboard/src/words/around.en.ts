/* The words without which no page is shown, as one file. */
export { default as parts } from './parts.en.ts';
export { default as shell } from './shell.en.ts';
