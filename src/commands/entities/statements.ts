import type { UserEntities } from '../../folds/entities/entities.ts';
import {
  USER,
  type WholeEntity,
  type WholeRelationship,
  wholeEntities,
  wholeRelationships,
} from '../../folds/entities/whole.ts';

/** What a relationship says, in a sentence: "Mia, the user's sister, lives in Bergen." */
export interface RelationshipStatement {
  readonly kind: 'relationship';
  readonly id: string;
  /** What it is about: not the user. */
  readonly entityId: string;
  readonly text: string;
  /** When it was last said. */
  readonly at: number;
  readonly confidence: number;
  /** Episodes that say it. */
  readonly sources: readonly string[];
}

/** Of these somebody has one at a time: what was said last holds. */
const ONE_AT_A_TIME = /^(?:lives_in|works_at|studies_at)$/;
/** With a word before them that makes a sentence of them. */
const IS = /^(?:based|born|called|engaged|from|located|married|named|part|related)(?:_|$)/;

interface Known {
  readonly changes: number;
  readonly statements: readonly RelationshipStatement[];
}

const knownBefore = new WeakMap<UserEntities, Known>();

/**
 * What relationships say that still holds. Where and what the user is themself is a conclusion, which a later word
 * replaces; it is not told a second time.
 */
export function relationshipStatements(known: UserEntities): readonly RelationshipStatement[] {
  const before = knownBefore.get(known);
  if (before?.changes === known.changes) return before.statements;
  const statements = statementsIn(known);
  knownBefore.set(known, { changes: known.changes, statements });
  return statements;
}

function statementsIn(known: UserEntities): readonly RelationshipStatement[] {
  const relationships = wholeRelationships(known);
  if (relationships.length === 0) return [];
  const entities = new Map(wholeEntities(known).map((entity) => [entity.id, entity]));
  const seenAt = lastSeen(known);
  const dated = relationships.map((relationship) => ({
    ...relationship,
    at: Math.max(0, ...relationship.statedIn.map((episodeId) => seenAt.get(episodeId) ?? 0)),
  }));
  const kin = kinOfUser(relationships, entities);
  return withoutOutdated(dated).flatMap(({ id, at, confidence, sources, ...stated }) => {
    const text = sentenceOf(stated, entities, kin);
    const entityId = stated.from === USER ? stated.to : stated.from;
    return text === undefined ? [] : [{ kind: 'relationship', id, entityId, text, at, confidence, sources }];
  });
}

function lastSeen({ entities }: UserEntities): ReadonlyMap<string, number> {
  return new Map(
    Object.values(entities).flatMap(({ mentions }) =>
      mentions.map(({ episodeId, seenAt }) => [episodeId, seenAt] as const),
    ),
  );
}

type Dated = WholeRelationship & { readonly at: number };

function withoutOutdated(relationships: readonly Dated[]): readonly Dated[] {
  const last = new Map<string, Dated>();
  const keyOf = ({ from, type }: Dated) => `${type} ${from}`;
  for (const one of relationships) {
    const before = last.get(keyOf(one));
    if (!before || before.at <= one.at) last.set(keyOf(one), one);
  }
  return relationships.filter(
    (one) => !ONE_AT_A_TIME.test(one.type) || (one.from !== USER && last.get(keyOf(one)) === one),
  );
}

type Ends = Pick<WholeRelationship, 'from' | 'type' | 'to'>;

/** What people are to the user, by entity. */
function kinOfUser(
  relationships: readonly Ends[],
  entities: ReadonlyMap<string, WholeEntity>,
): ReadonlyMap<string, string> {
  const kin = new Map<string, string>();
  for (const ends of relationships) {
    const whose = kinIn(ends, entities);
    if (whose?.owner === USER && !kin.has(whose.person)) kin.set(whose.person, `the user's ${whose.what}`);
  }
  return kin;
}

/** "The sister of somebody", and the one who is that. */
function kinIn(
  { from, type, to }: Ends,
  entities: ReadonlyMap<string, WholeEntity>,
): { readonly person: string; readonly what: string; readonly owner: string } | undefined {
  const isPerson = (id: string) => id === USER || entities.get(id)?.type === 'person';
  if (!isPerson(from) || !isPerson(to)) return undefined;
  const what = type === 'married_to' ? 'spouse' : /^(?!part_)(.+)_of$/.exec(type)?.[1]?.replaceAll('_', ' ');
  if (what === undefined) return undefined;
  // What holds in both directions may have been said from either side.
  const isMutual = /^(?:spouse|partner|friend|colleague|neighbour|roommate|cousin)$/.test(what);
  return from === USER && isMutual ? { person: to, what, owner: from } : { person: from, what, owner: to };
}

function sentenceOf(
  ends: Ends,
  entities: ReadonlyMap<string, WholeEntity>,
  kin: ReadonlyMap<string, string>,
): string | undefined {
  const nameOf = (id: string) => (id === USER ? 'the user' : entities.get(id)?.name);
  const [from, to] = [nameOf(ends.from), nameOf(ends.to)];
  if (!from || !to) return undefined;
  const whose = kinIn(ends, entities);
  if (whose) return sentence(`${nameOf(whose.person)} is ${nameOf(whose.owner)}'s ${whose.what}`);
  const verb = `${IS.test(ends.type) ? 'is ' : ''}${ends.type.replaceAll('_', ' ')}`;
  const subject = kin.has(ends.from) ? `${from}, ${kin.get(ends.from)},` : from;
  const object = kin.has(ends.to) ? `${to}, ${kin.get(ends.to)}` : to;
  return sentence(`${subject} ${verb} ${object}`);
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
