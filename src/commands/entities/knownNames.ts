import type { Entity, UserEntities } from '../../folds/entities/entities.ts';
import { aliasesOf, groupsOf, nameOf, typeOf } from '../../folds/entities/whole.ts';
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

/** Which entity a name is of. Where it could be several, it is of none of them. */
export class KnownNames {
  readonly #names: Bearers = new Map();
  readonly #aliases: Bearers = new Map();
  readonly #spellings: (readonly [type: EntityType, letters: string, Bearer])[] = [];

  constructor(known: UserEntities) {
    for (const [root, members] of groupsOf(known)) {
      const types = new Set(members.map(typeOf));
      for (const member of members)
        for (const type of types) this.#put(type, foldedOf(member, type), { root, id: member.id });
    }
  }

  add(id: string, named: EntityName): void {
    this.#put(named.type, fold(named), { root: id, id });
  }

  byName(named: EntityName): string | undefined {
    const { type } = named;
    const { name, aliases } = fold(named);
    return (
      this.#names.get(keyOf(type, name))?.[0]?.id ??
      only(this.#aliases.get(keyOf(type, name))) ??
      only(aliases.flatMap((alias) => this.#names.get(keyOf(type, alias)) ?? []))
    );
  }

  bySpelling(named: EntityName): string | undefined {
    const { letters: wanted } = fold(named);
    const near = this.#spellings.filter(
      ([type, letters]) => type === named.type && isMisspelt(letters, wanted),
    );
    return only(near.map(([, , bearer]) => bearer));
  }

  #put(type: EntityType, { name, letters, aliases }: Folded, bearer: Bearer): void {
    put(this.#names, keyOf(type, name), bearer);
    for (const alias of aliases) put(this.#aliases, keyOf(type, alias), bearer);
    this.#spellings.push([type, letters, bearer]);
  }
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

function only(bearers: readonly Bearer[] | undefined): string | undefined {
  const [first] = bearers ?? [];
  return bearers?.every(({ root }) => root === first?.root) ? first?.id : undefined;
}
