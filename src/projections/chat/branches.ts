/*
 * A turn may stand in place of an earlier one: what was said from that one on is then set aside, and kept. So a
 * conversation is a tree of turns, and one path through it is what is read and what the model is told.
 */

interface NamedTurn {
  readonly turnId: string;
}

/** What is said after a turn (or in the beginning) on another path. */
interface SetAside<Turn> {
  readonly after: string | null;
  /** Never empty. Each follows on the one before. */
  readonly turns: readonly Turn[];
}

export interface Branches<Turn extends NamedTurn> {
  /** Each turn follows on the one before. */
  readonly path: readonly Turn[];
  readonly aside: readonly SetAside<Turn>[];
  /** Turns that stand in place of each other, in the order in which they were said. */
  readonly versions: readonly (readonly string[])[];
}

/** Puts a turn in place of another: from that one on, what was said is set aside. */
export function replaceTurn<Turn extends NamedTurn>(
  branches: Branches<Turn>,
  replaced: string,
  turn: Turn,
): Branches<Turn> {
  const { path, aside, versions } = chooseTurn(branches, replaced);
  const from = path.findIndex(({ turnId }) => turnId === replaced);
  if (from === -1) return { path: [...path, turn], aside, versions };
  const group = versions.find((one) => one.includes(replaced)) ?? [replaced];
  return {
    path: [...path.slice(0, from), turn],
    aside: [...aside, { after: path[from - 1]?.turnId ?? null, turns: path.slice(from) }],
    versions: [...versions.filter((one) => one !== group), [...group, turn.turnId]],
  };
}

/** Makes the path lead through a turn, and on from there as it did last. */
export function chooseTurn<Turn extends NamedTurn>(branches: Branches<Turn>, turnId: string): Branches<Turn> {
  const isThere = (turn: Turn) => turn.turnId === turnId;
  const chosen = branches.aside.find(({ turns }) => turns.some(isThere));
  if (!chosen) return branches;
  const { after } = chosen;
  // What it follows on may be set aside, too.
  const { path, aside, versions } = after === null ? branches : chooseTurn(branches, after);
  const from = after === null ? 0 : path.findIndex((turn) => turn.turnId === after) + 1;
  return {
    path: [...path.slice(0, from), ...chosen.turns],
    aside: [...aside.filter((one) => one !== chosen), { after, turns: path.slice(from) }],
    versions,
  };
}

/** All turns that stand in place of this one, itself among them; undefined where it is alone. */
export function versionsOf(
  { versions }: Pick<Branches<NamedTurn>, 'versions'>,
  turnId: string,
): readonly string[] | undefined {
  return versions.find((group) => group.includes(turnId));
}

export function asideIn({ aside }: Pick<Branches<NamedTurn>, 'aside'>): ReadonlySet<string> {
  return new Set(aside.flatMap(({ turns }) => turns.map(({ turnId }) => turnId)));
}

/** A conversation that is read from its beginning: a turn more takes no longer, however many there are. */
export class ReadBranches<Turn extends NamedTurn> implements Branches<Turn> {
  #path: Turn[] = [];
  #others: Omit<Branches<Turn>, 'path'> = { aside: [], versions: [] };

  get path(): readonly Turn[] {
    return this.#path;
  }

  get aside(): Branches<Turn>['aside'] {
    return this.#others.aside;
  }

  get versions(): Branches<Turn>['versions'] {
    return this.#others.versions;
  }

  add(turn: Turn, replaces: string | undefined): void {
    if (replaces === undefined) this.#path.push(turn);
    else this.#become(replaceTurn(this, replaces, turn));
  }

  choose(turnId: string): void {
    this.#become(chooseTurn(this, turnId));
  }

  #become({ path, aside, versions }: Branches<Turn>): void {
    this.#path = [...path];
    this.#others = { aside, versions };
  }
}
