import type { EntityType } from '../../vocabulary.ts';
import type { Entity, Evidence, Mention, UserEntities } from './entities.ts';

/** An entity with all that was merged into it, as one. */
export interface WholeEntity {
  readonly id: string;
  readonly name: string;
  readonly type: EntityType;
  readonly aliases: readonly string[];
  readonly mentions: number;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly episodeIds: readonly string[];
  readonly turnIds: readonly string[];
}

export interface WholeRelationship {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly confidence: number;
  readonly sources: readonly string[];
  /** Sources, and episodes whose time was over. */
  readonly statedIn: readonly string[];
}

/** Stands in a relationship for the one whose memory it is. */
export const USER = 'user';

const MOST_CONFIDENCE = 0.99;
/** A further witness of full confidence halves the doubt. */
const LESS_DOUBT = 0.5;

/** All entities, without those that count as others. */
export function wholeEntities(known: UserEntities): readonly WholeEntity[] {
  return [...groupsOf(known)].flatMap(([, members]) => wholeOf(members));
}

export function wholeEntity(known: UserEntities, id: string): WholeEntity | undefined {
  return wholeOf(membersOf(known, id))[0];
}

/** The entity and those that count as it; none when there is no such entity, or it counts as another itself. */
export function membersOf(known: UserEntities, id: string): readonly Entity[] {
  return groupsOf(known).get(id) ?? [];
}

/** As which entity one counts. */
export function rootOf({ entities }: Pick<UserEntities, 'entities'>, id: string): string {
  const into = entities[id]?.mergedInto;
  return typeof into === 'string' && isThere(entities[into]) ? rootOf({ entities }, into) : id;
}

export function wholeRelationships(known: UserEntities): readonly WholeRelationship[] {
  const groups = new Map<string, { id: string; from: string; to: string; evidence: readonly Evidence[] }>();
  for (const { id, from: rawFrom, to: rawTo, evidence: all } of Object.values(known.relationships)) {
    const evidence = all.filter(({ type }) => type !== null);
    const [from, to] = [endOf(known, rawFrom), endOf(known, rawTo)];
    if (!evidence[0]?.type || from === undefined || to === undefined || from === to) continue;
    const key = relationshipKey(from, evidence[0].type, to);
    const same = groups.get(key);
    groups.set(key, { id, from, to, ...same, evidence: [...(same?.evidence ?? []), ...evidence] });
  }
  return Array.from(groups.values(), ({ evidence, ...ends }) => ({
    ...ends,
    type: evidence[0]?.type ?? '',
    confidence: confidenceOf(evidence),
    sources: sourcesOf(evidence),
    statedIn: evidence.map(({ episodeId }) => episodeId),
  }));
}

/** What holds in both directions is one, whichever way it was said. */
const MUTUAL =
  /^(?:married_to|partner_of|friend_of|colleague_of|neighbour_of|roommate_of|cousin_of|related_to)$/;

export function relationshipKey(from: string, type: string, to: string): string {
  const ends = MUTUAL.test(type) ? [from, to].sort() : [from, to];
  return `${type} ${ends.join(' ')}`;
}

/** Those that count as one, by which that is; it comes first. */
export function groupsOf(known: UserEntities): ReadonlyMap<string, readonly Entity[]> {
  const groups = new Map<string, Entity[]>();
  for (const entity of Object.values(known.entities)) {
    if (!isThere(entity)) continue;
    const root = rootOf(known, entity.id);
    const members = groups.get(root);
    if (!members) groups.set(root, [entity]);
    else if (entity.id === root) members.unshift(entity);
    else members.push(entity);
  }
  return groups;
}

/** Whether anything that it was called is known. */
export function isThere(entity: Entity | undefined): boolean {
  return entity?.mentions.some(({ name }) => name !== null) === true;
}

function endOf(known: UserEntities, id: string): string | undefined {
  if (id === USER) return USER;
  return isThere(known.entities[id]) ? rootOf(known, id) : undefined;
}

/** Of those that stand alone, which are most. An entity is another object as soon as anything of it changes. */
const wholeBefore = new WeakMap<Entity, WholeEntity>();

function wholeOf(members: readonly Entity[]): readonly WholeEntity[] {
  const [primary, ...merged] = members;
  if (!primary) return [];
  const cached = merged.length === 0 ? wholeBefore.get(primary) : undefined;
  const whole = cached ?? gathered(primary, members);
  if (merged.length === 0) wholeBefore.set(primary, whole);
  return [whole];
}

function gathered(primary: Entity, members: readonly Entity[]): WholeEntity {
  const name = nameOf(primary);
  const mentions = members.flatMap((member) => member.mentions.filter((mention) => mention.name !== null));
  const aliases = new Set(members.flatMap((member) => [nameOf(member), ...aliasesOf(member)]));
  aliases.delete(name);
  const seen = mentions.map(({ seenAt }) => seenAt);
  return {
    id: primary.id,
    name,
    type: typeOf(primary),
    aliases: [...aliases],
    mentions: countOf(mentions),
    firstSeenAt: Math.min(...seen),
    lastSeenAt: Math.max(...seen),
    episodeIds: sourcesOf(mentions),
    turnIds: [...new Set(mentions.flatMap(({ turnIds }) => turnIds))],
  };
}

export function typeOf({ given, mentions }: Entity): EntityType {
  return given.type ?? mentions[0]?.type ?? 'thing';
}

/** The fullest name by which it was called, the first of those: "Anna Keller" tells more than "Anna". */
export function nameOf({ given, mentions }: Entity): string {
  if (given.name !== null) return given.name;
  const names = mentions.flatMap(({ name }) => name ?? []);
  return names.toSorted((one, other) => wordsIn(other) - wordsIn(one))[0] ?? '';
}

export function aliasesOf({ given, mentions }: Entity): readonly string[] {
  return given.aliases ?? mentions.flatMap(({ name, aliases }) => [name ?? [], aliases ?? []].flat());
}

function wordsIn(name: string): number {
  return name.split(' ').length;
}

/** Episodes of one conversation tell of the same words. */
function countOf(mentions: readonly Mention[]): number {
  const byConversation = new Map<string, number>();
  for (const { episodeId, conversationId, mentions: count } of mentions) {
    const where = conversationId ?? episodeId;
    byConversation.set(where, Math.max(byConversation.get(where) ?? 0, count));
  }
  return [...byConversation.values()].reduce((sum, count) => sum + count, 0);
}

function confidenceOf(evidence: readonly Evidence[]): number {
  const witnesses = new Map<string, number>();
  for (const { episodeId, conversationId, confidence } of evidence) {
    const where = conversationId ?? episodeId;
    witnesses.set(where, Math.max(witnesses.get(where) ?? 0, confidence));
  }
  const [first = 0, ...others] = [...witnesses.values()].sort((one, other) => other - one);
  const sum = others.reduce((sure, confidence) => sure + (1 - sure) * confidence * LESS_DOUBT, first);
  return Math.min(MOST_CONFIDENCE, sum);
}

function sourcesOf(witnesses: readonly { episodeId: string; isExpired: boolean }[]): readonly string[] {
  return [...new Set(witnesses.flatMap(({ episodeId, isExpired }) => (isExpired ? [] : [episodeId])))];
}
