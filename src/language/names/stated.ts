import type { NamedEntity, NamesFound } from '../names.ts';
import type { Statement } from '../statements.ts';
import { type Relation, USER } from './relationships.ts';
import type { Kind } from './tagger.ts';

type Means = readonly [
  slot: RegExp,
  kind: Kind,
  relation: (slot: string) => Pick<Relation, 'from' | 'to' | 'type'>,
];

const fromUser = (type: string) => () => ({ from: USER, to: '', type });
const SPOUSE = /^family\.(?:wife|husband|spouse)/;

/** Statements whose value is a name. */
const means: readonly Means[] = [
  [SPOUSE, 'person', () => ({ from: '', to: USER, type: 'married_to' })],
  [
    /^family\.[\w-]+\.name$/,
    'person',
    (slot) => ({ from: '', to: USER, type: `${slot.split('.')[1]?.split('-').at(-1)}_of` }),
  ],
  [/^pet\.[\w-]+\.name$/, 'thing', fromUser('owns')],
  [/^home\.city$/, 'place', fromUser('lives_in')],
  [/^home\.origin$/, 'place', fromUser('from')],
  [/^work\.employer$/, 'organization', fromUser('works_at')],
  [/^study\.place$/, 'organization', fromUser('studies_at')],
];

/** What users state of themselves names entities too, also where a text has no capital letters. */
export function withStated(named: NamesFound, statements: readonly Statement[]): NamesFound {
  const entities = [...named.entities];
  const relationships = [...named.relationships];
  for (const { slot, value, negated, confidence, text } of statements) {
    const meant = means.find(([pattern]) => pattern.test(slot));
    if (!meant || negated || !isName(value)) continue;
    const [, kind, relation] = meant;
    const { name } = known(entities, value, kind, confidence);
    const { from, to, type } = relation(slot);
    const one = { from: from || name, to: to || name, type, confidence, sentence: text };
    if (!relationships.some((other) => other.from === one.from && other.to === one.to))
      relationships.push(one);
  }
  return { entities, relationships };
}

/** One or a few words; "a small town near Bristol" and "Rosa and Miguel" are no name. */
function isName(value: string): boolean {
  return /^(?!(?:an?|the|near|outside|my|our|just)\b)[\p{L}\d'’.&-]+(?: (?!and\b|or\b|near\b)[\p{L}\d'’.&-]+){0,3}$/u.test(
    value,
  );
}

function known(entities: NamedEntity[], name: string, type: Kind, confidence: number): NamedEntity {
  const same = entities.find((one) =>
    [one.name, ...one.aliases].some((other) => other.toLowerCase() === name.toLowerCase()),
  );
  if (same) return same;
  const entity: NamedEntity = { name, type, aliases: [], mentions: 1, confidence };
  entities.push(entity);
  return entity;
}
