import type { EntityType } from '../../vocabulary.ts';
import { foldedName, isMisspelt } from './sameName.ts';
import type { Entity, UserEntities } from './state.ts';
import { aliasesOf, groupsOf, nameOf, typeOf } from './whole.ts';

export interface Named {
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

/** Which entity a name is of. Where it could be several, it is of none of them. */
export class KnownNames {
  readonly #names: Bearers = new Map();
  readonly #aliases: Bearers = new Map();

  constructor(known: UserEntities) {
    for (const [root, members] of groupsOf(known)) {
      const types = new Set(members.map(typeOf));
      for (const member of members) for (const type of types) this.#addMember(root, member, type);
    }
  }

  add(id: string, { name, type, aliases }: Named): void {
    put(this.#names, type, name, { root: id, id });
    for (const alias of aliases) put(this.#aliases, type, alias, { root: id, id });
  }

  byName({ name, type, aliases }: Named): string | undefined {
    const key = keyOf(type, name);
    return (
      this.#names.get(key)?.[0]?.id ??
      only(this.#aliases.get(key)) ??
      only(aliases.flatMap((alias) => this.#names.get(keyOf(type, alias)) ?? []))
    );
  }

  bySpelling({ name, type }: Named): string | undefined {
    const folded = foldedName(name, type);
    const near = Array.from(this.#names).flatMap(([key, bearers]) =>
      key.startsWith(`${type}:`) && isMisspelt(key.slice(type.length + 1), folded) ? bearers : [],
    );
    return only(near);
  }

  #addMember(root: string, member: Entity, type: EntityType): void {
    put(this.#names, type, nameOf(member), { root, id: member.id });
    for (const alias of aliasesOf(member)) put(this.#aliases, type, alias, { root, id: member.id });
  }
}

function put(bearers: Bearers, type: EntityType, name: string, bearer: Bearer): void {
  const key = keyOf(type, name);
  const known = bearers.get(key);
  if (known) known.push(bearer);
  else bearers.set(key, [bearer]);
}

function keyOf(type: EntityType, name: string): string {
  return `${type}:${foldedName(name, type)}`;
}

function only(bearers: readonly Bearer[] | undefined): string | undefined {
  const [first] = bearers ?? [];
  return bearers?.every(({ root }) => root === first?.root) ? first?.id : undefined;
}
