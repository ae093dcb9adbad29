import type { Entity, UserEntities } from '../../folds/entities/entities.ts';
import { aliasesOf, groupsOf, isThere, nameOf, typeOf } from '../../folds/entities/whole.ts';
import type { EntityType } from '../../vocabulary.ts';
import { foldedName, isMisspelt, lettersOf } from './sameName.ts';

export interface EntityName {
  readonly name: string;
  readonly type: EntityType;
  readonly aliases: readonly string[];
}

interface Bearer {
  /** As which it counts. */
  readonly root: string;
  readonly id: string;
}

type Bearers = Map<string, Bearer[]>;

/** What a name and the others are looked for by. */
interface Folded {
  readonly name: string;
  readonly letters: string;
  readonly aliases: readonly string[];
}

/** An entity is another object as soon as anything of it changes. */
const foldedBefore = new WeakMap<Entity, Map<EntityType, Folded>>();

/** Entities by their names, as they were when they were last looked for. */
interface Indexed {
  readonly index: NameIndex;
  readonly seen: Map<string, Entity>;
}

/** The state is changed in place, and mostly by one more entity, or by one that is named again. */
const indexedBefore = new WeakMap<UserEntities, Indexed>();

/** Which entity a name is of. Where it could be several, it is of none of them. */
export class KnownNames {
  readonly #known: NameIndex;
  readonly #added = new NameIndex();

  constructor(known: UserEntities) {
    this.#known = indexOf(known);
  }

  add(id: string, named: EntityName): void {
    this.#added.put(named.type, fold(named), { root: id, id });
  }

  byName(named: EntityName): string | undefined {
    const { type } = named;
    const { name, aliases } = fold(named);
    return (
      this.#called(type, name)[0]?.id ??
      only(this.#alsoCalled(type, name)) ??
      only(aliases.flatMap((alias) => this.#called(type, alias)))
    );
  }

  bySpelling(named: EntityName): string | undefined {
    const { letters: wanted } = fold(named);
    const near = [this.#known, this.#added].flatMap(({ spellings }) =>
      spellings.filter(([type, letters]) => type === named.type && isMisspelt(letters, wanted)),
    );
    return only(near.map(([, , bearer]) => bearer));
  }

  #called(type: EntityType, name: string): readonly Bearer[] {
    const key = keyOf(type, name);
    return [this.#known, this.#added].flatMap(({ names }) => names.get(key) ?? []);
  }

  #alsoCalled(type: EntityType, name: string): readonly Bearer[] {
    const key = keyOf(type, name);
    return [this.#known, this.#added].flatMap(({ aliases }) => aliases.get(key) ?? []);
  }
}

class NameIndex {
  readonly names: Bearers = new Map();
  readonly aliases: Bearers = new Map();
  readonly spellings: (readonly [type: EntityType, letters: string, Bearer])[] = [];

  put(type: EntityType, { name, letters, aliases }: Folded, bearer: Bearer): void {
    put(this.names, keyOf(type, name), bearer);
    for (const alias of aliases) put(this.aliases, keyOf(type, alias), bearer);
    this.spellings.push([type, letters, bearer]);
  }
}

function indexOf(known: UserEntities): NameIndex {
  const before = indexedBefore.get(known);
  if (before && isCaughtUp(before, known)) return before.index;
  const index = new NameIndex();
  for (const [root, members] of groupsOf(known)) {
    const types = new Set(members.map(typeOf));
    for (const member of members)
      for (const type of types) index.put(type, foldedOf(member, type), { root, id: member.id });
  }
  indexedBefore.set(known, { index, seen: new Map(Object.entries(known.entities)) });
  return index;
}

/** Puts in those that have come since. False where anything else changed: then it is made anew. */
function isCaughtUp({ index, seen }: Indexed, { entities }: UserEntities): boolean {
  let count = 0;
  for (const entity of Object.values(entities)) {
    count++;
    const { id } = entity;
    const before = seen.get(id);
    if (before === entity) continue;
    if (before ? !isFoundAsBefore(before, entity) : !isByItself(entity)) return false;
    if (!before) index.put(typeOf(entity), foldedOf(entity, typeOf(entity)), { root: id, id });
    seen.set(id, entity);
  }
  return count === seen.size;
}

function isByItself(entity: Entity): boolean {
  return isThere(entity) && entity.mergedInto === null;
}

function isFoundAsBefore(before: Entity, entity: Entity): boolean {
  const type = typeOf(entity);
  if (typeOf(before) !== type || before.mergedInto !== entity.mergedInto) return false;
  if (!isThere(before) || !isThere(entity)) return false;
  const [was, is] = [foldedOf(before, type), foldedOf(entity, type)];
  const aliases = new Set(was.aliases);
  return (
    was.name === is.name && aliases.size === is.aliases.length && is.aliases.every((one) => aliases.has(one))
  );
}

function foldedOf(entity: Entity, type: EntityType): Folded {
  const before = foldedBefore.get(entity) ?? new Map<EntityType, Folded>();
  foldedBefore.set(entity, before);
  const known = before.get(type) ?? fold({ name: nameOf(entity), type, aliases: aliasesOf(entity) });
  before.set(type, known);
  return known;
}

function fold({ name: shown, type, aliases }: EntityName): Folded {
  const name = foldedName(shown, type);
  const others = new Set([...new Set(aliases)].map((alias) => foldedName(alias, type)));
  return { name, letters: lettersOf(name), aliases: [...others] };
}

function put(bearers: Bearers, key: string, bearer: Bearer): void {
  const known = bearers.get(key);
  if (known) known.push(bearer);
  else bearers.set(key, [bearer]);
}

function keyOf(type: EntityType, folded: string): string {
  return `${type}:${folded}`;
}

function only(bearers: readonly Bearer[]): string | undefined {
  const [first] = bearers;
  return bearers.every(({ root }) => root === first?.root) ? first?.id : undefined;
}
