import type { EngineName } from './engine.ts';

interface Candidate {
  readonly id: string;
  readonly engine: EngineName;
  readonly languages?: readonly string[] | undefined;
}

/** Models that were fetched on purpose first; what understands or speaks poorly last. */
const BEST_FIRST: readonly EngineName[] = ['sherpa', 'cloud-b', 'pocketsphinx', 'flite'];

export const AUTO = 'auto';
/** Nothing is to hear, or to speak. */
const OFF = 'off';

/**
 * Whom to ask, one after the other. What is named comes first, and what stands in for it never leaves the machine: only
 * who leaves the choice to hark, or names it, has a cloud hear.
 */
export function inOrder<One extends Candidate>(
  candidates: readonly One[],
  wanted: string,
  language: string | undefined,
): readonly One[] {
  const isWanted = ({ id, engine }: One) => id === wanted || engine === wanted;
  const rank = (one: One) =>
    (isWanted(one) ? 0 : 100) + (knows(one, language) ? 0 : 10) + BEST_FIRST.indexOf(one.engine);
  return candidates
    .filter((one) => wanted !== OFF && (wanted === AUTO || isWanted(one) || one.engine !== 'cloud-b'))
    .toSorted((one, other) => rank(one) - rank(other));
}

function knows({ languages }: Candidate, language: string | undefined): boolean {
  if (language === undefined || languages === undefined || languages.includes('*')) return true;
  return languages.some((known) => plain(known) === plain(language));
}

/** Without its region: who speaks American English understands British. */
function plain(language: string): string {
  return language.toLowerCase().split(/[-_]/)[0] ?? '';
}
