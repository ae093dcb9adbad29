import { words } from './words.ts';

const known: Readonly<Record<string, string>> = words.reasons;

/** Why something did not arrive; `HTTP_503` says what there are no better words for. */
export const reasonText = (reason = ''): string => known[reason] ?? reason.replaceAll('_', ' ');
