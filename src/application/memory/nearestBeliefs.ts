import type { Conclusion } from '../../folds/memory/conclusion.ts';
import { activeOnes } from '../../folds/memory/conclusion.ts';
import { evidentWords } from '../../language/requests.ts';
import { stemsOf } from '../../language/words.ts';
import type { Searching } from './searching.ts';
import type { Statements } from './statements.ts';
import type { SpokenWords } from './words.ts';

/** Something that is believed, as what is found later is held against it. */
export type NearBelief = Pick<Conclusion, 'id' | 'about'> & { readonly text: string };

interface Parts {
  readonly statementsOf: (userId: string) => Promise<Pick<Statements, 'memory'>>;
  readonly nearStatements: Searching['nearStatements'];
}

const MOST = 40;
const LONGEST_QUERY = 2_000;
/** So many of them come because of what they mean, where there are vectors. */
const BY_MEANING = 15;

/** What is believed that comes nearest to what the user says, by words and by meaning; all of it where that is little. */
export async function nearestBeliefs(
  { statementsOf, nearStatements }: Parts,
  userId: string,
  words: readonly SpokenWords[],
): Promise<readonly NearBelief[]> {
  const { memory } = await statementsOf(userId);
  const believed = activeOnes(memory).flatMap(({ text, ...one }) =>
    text === null ? [] : [{ ...one, text }],
  );
  if (believed.length <= MOST) return believed;
  const said = words.flatMap(({ role, text }) =>
    role === 'user' ? [evidentWords(text.slice(0, LONGEST_QUERY))] : [],
  );
  const stems = new Set(said.flatMap(stemsOf));
  const near = await nearStatements(userId, said.join('\n').slice(-LONGEST_QUERY), BY_MEANING);
  const meant = new Set(near.map(({ id }) => id));
  const byWords = believed
    .filter(({ id }) => !meant.has(id))
    .map((one) => ({ one, shared: new Set(stemsOf(one.text)).intersection(stems).size }))
    .sort((a, b) => b.shared - a.shared || b.one.lastEvidenceAt - a.one.lastEvidenceAt);
  return [...believed.filter(({ id }) => meant.has(id)), ...byWords.map(({ one }) => one)].slice(0, MOST);
}
