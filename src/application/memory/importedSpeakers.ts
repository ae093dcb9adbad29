import type { ImportedTurn } from '../../events/episodes.ts';
import { activeOnes } from '../../folds/memory/conclusion.ts';
import type { Remembered } from '../../projections/memory/remembered.ts';
import { unhurried } from '../../unhurried.ts';

/** Of what an import brings, conversations have turns. */
interface Brought {
  readonly kind: string;
  readonly turns?: readonly ImportedTurn[];
}

type WhoIsKnown = Pick<Remembered, 'profile' | 'conclusions'>;

/** Of one name, people write "Ann" and "Ann Miller". */
type Names = readonly string[];

/**
 * Tells apart who speaks with the role `user` in imported conversations. The user is whoever goes by the name that the
 * import says is theirs; else by one that is known to be; else the lines without a name; else the one name in all of the
 * import. Of several, nobody knows which is the user's. The lines of all others are kept as said by somebody else: they
 * are found, and are no evidence about the user.
 */
export class ImportedSpeakers {
  readonly #said: string;
  readonly #only: Names;

  private constructor(said: string, only: Names) {
    this.#said = said;
    this.#only = only;
  }

  /** Reads all that is imported once before any of it is taken in: who speaks last counts as who speaks first. */
  static async among(
    items: AsyncIterable<Brought> | Iterable<Brought>,
    said?: string,
  ): Promise<ImportedSpeakers> {
    const names = new Set<string>();
    for await (const { turns = [] } of unhurried(items)) {
      for (const name of namesIn(turns)) names.add(name);
      if (!areOne([...names])) break;
    }
    return new ImportedSpeakers(keyOf(said), areOne([...names]) ? [...names] : []);
  }

  /** The turns, each by whom it is. */
  told(turns: readonly ImportedTurn[], known: WhoIsKnown): readonly ImportedTurn[] {
    const names = namesIn(turns);
    if (names.length === 0) return turns;
    const user = this.#userAmong(names, turns, known);
    return turns.map((turn) => (isOther(turn, user) ? { ...turn, role: 'assistant' as const } : turn));
  }

  #userAmong(names: Names, turns: readonly ImportedTurn[], known: WhoIsKnown): Names {
    const own = this.#said === '' ? ownNames(known) : [this.#said];
    const theirs = names.filter((name) => own.some((one) => isSameName(one, name)));
    // Two of the same first name: only the very name can tell which of them is the user.
    if (theirs.length > 0) return areOne(theirs) ? theirs : theirs.filter((name) => own.includes(name));
    const isSomeUnnamed = turns.some(({ role, name }) => role === 'user' && keyOf(name) === '');
    return this.#said !== '' || isSomeUnnamed ? [] : this.#only;
  }
}

function isOther({ role, name }: ImportedTurn, user: Names): boolean {
  const key = keyOf(name);
  return role === 'user' && key !== '' && !user.includes(key);
}

/** Those that speak as the user. */
function namesIn(turns: readonly ImportedTurn[]): Names {
  const named = turns.filter(({ role }) => role === 'user').map(({ name }) => keyOf(name));
  return [...new Set(named)].filter((key) => key !== '');
}

/** Whether all of them may be one person's. */
function areOne(names: Names): boolean {
  return names.every((one) => names.every((other) => isSameName(one, other)));
}

function ownNames({ profile, conclusions }: WhoIsKnown): readonly string[] {
  const believed = activeOnes({ conclusions }).flatMap(({ about, value, negated }) =>
    (about === 'name' || about === 'name.nickname') && value != null && negated !== true ? [value] : [],
  );
  return [profile.name, ...believed].map(keyOf).filter((name) => name !== '');
}

/** "Ann" and "Ann Miller". */
function isSameName(one: string, other: string): boolean {
  const [first, second] = [new Set(one.split(' ')), new Set(other.split(' '))];
  return first.isSubsetOf(second) || second.isSubsetOf(first);
}

/** Some tools write it for a name. */
const USER_THEMSELVES = /^(?:(?:the )?user|human|me|you|i)$/;

/** Nothing where it is no name. */
function keyOf(name: string | null | undefined): string {
  const words = (name ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  const key = words?.join(' ') ?? '';
  return USER_THEMSELVES.test(key) ? '' : key;
}
