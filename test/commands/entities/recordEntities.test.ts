import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { recordEntities } from '../../../src/commands/entities/recordEntities.ts';
import { wholeEntities, wholeRelationships } from '../../../src/folds/entities/whole.ts';
import { given, NOW } from '../../support/given.ts';
import { found, knownAfter, namesOf, oneNamed, record, recorded } from './sample.ts';

const mia = found('Mia', { turnIds: ['t1'] });
const sister = { from: 'Mia', to: 'user', type: 'sister_of', confidence: 0.9 };

describe('what an episode names', () => {
  it('is kept with where it comes from', () => {
    const { mentions: _, ...said } = { ...mia, mentions: 0 };
    given(recordEntities)
      .when(record('e1', { entities: [mia], relationships: [sister] }))
      .gives(
        {
          type: 'entities.entity.mentioned',
          data: {
            episodeId: 'e1',
            conversationId: 'c-e1',
            entityId: 'id-1',
            ...said,
            mentions: 1,
            seenAt: NOW,
            by: 'offline',
          },
        },
        {
          type: 'entities.relationship.stated',
          data: {
            episodeId: 'e1',
            conversationId: 'c-e1',
            relationshipId: 'id-2',
            from: 'id-1',
            to: 'user',
            type: 'sister_of',
            confidence: 0.9,
          },
        },
      );
  });

  it('is recorded once', () => {
    const input = record('e1', { entities: [mia] });
    given(recordEntities, ...recorded(input))
      .when(input)
      .givesNothing();
  });

  it('does not come back when something was erased while it was read', () => {
    const data = {
      because: 'source-erased',
      entityIds: [],
      changedIds: [],
      relationshipIds: [],
      episodeIds: ['e1'],
      subjects: [],
    };
    given(recordEntities, { type: 'entities.erased', data })
      .when(record('e1', { entities: [mia] }))
      .isRefused('MEMORY_CHANGED');
  });

  it('counts once for two episodes of one conversation', () => {
    const first = record('e1', { entities: [found('Mia', { mentions: 3 })], conversationId: 'c' });
    const part = record('e2', { entities: [found('Mia', { mentions: 2 })], conversationId: 'c' });
    const known = oneNamed(knownAfter(first, part, record('e3', { entities: [mia] })), 'Mia');
    assert.deepEqual([known?.mentions, known?.episodeIds], [4, ['e1', 'e2', 'e3']]);
  });

  it('is seen from the first time to the last', () => {
    const at = (episodeId: string, seenAt: number) => record(episodeId, { entities: [mia], seenAt });
    const known = oneNamed(knownAfter(at('e1', 20), at('e2', 10), at('e3', 15)), 'Mia');
    assert.deepEqual([known?.firstSeenAt, known?.lastSeenAt], [10, 20]);
  });
});

describe('a name that is known', () => {
  const twice = (one: ReturnType<typeof found>, other: ReturnType<typeof found>) =>
    wholeEntities(knownAfter(record('e1', { entities: [one] }), record('e2', { entities: [other] }))).length;
  const person = (name: string, ...aliases: string[]) => found(name, { aliases });
  const firm = (name: string) => found(name, { type: 'organization' });

  for (const [one, other] of [
    [person('Mia'), person('MIA')],
    [person('José Núñez'), person('Jose Nunez')],
    [person('Jürgen Groß'), person('Jurgen Gross')],
    [person('Dr. Keller'), person('Keller')],
    [person("Seán O'Brien"), person('Sean O’Brien')],
    [person('Anna Keller', 'Anna'), person('Anna')],
    [person('Anna'), person('Anna Keller', 'Anna')],
    [person('Robert', 'Bob'), person('Bob')],
    [person('Michael Jordan'), person('Micheal Jordan')],
    [person('Philip Roth'), person('Phillip Roth')],
    [firm('Acme Inc.'), firm('ACME')],
    [firm('The Guardian'), firm('Guardian')],
    [found('Sankt Gallen', { type: 'place' }), found('Sankt-Gallen', { type: 'place' })],
  ] as const)
    it(`is found again: ${one.name}, ${other.name}`, () => assert.equal(twice(one, other), 1));

  for (const [one, other] of [
    [person('Anna'), person('Anne')],
    [person('Martin'), person('Martina')],
    [person('Christina'), person('Christine')],
    [person('Anna Keller', 'Anna'), person('Anna Schmidt', 'Anna')],
    [person('Brian'), person('Brain')],
    [found('iPhone 15', { type: 'thing' }), found('iPhone 51', { type: 'thing' })],
    [found('Paris', { type: 'person' }), found('Paris', { type: 'place' })],
  ] as const)
    it(`is another one: ${one.name} (${one.type}), ${other.name} (${other.type})`, () =>
      assert.equal(twice(one, other), 2));

  it('is of none of them when it could be of two', () => {
    const annas = [found('Anna Keller', { aliases: ['Anna'] }), found('Anna Schmidt', { aliases: ['Anna'] })];
    const known = knownAfter(
      record('e1', { entities: annas }),
      record('e2', { entities: [found('Anna')] }),
      record('e3', { entities: [found('Anna')] }),
    );
    assert.deepEqual([namesOf(known).length, oneNamed(known, 'Anna')?.episodeIds], [3, ['e2', 'e3']]);
  });

  it('shows its fullest form, and the others beside it', () => {
    const known = knownAfter(
      record('e1', { entities: [found('Anna')] }),
      record('e2', { entities: [found('Anna Keller', { aliases: ['Anna', 'Dr. Keller'] })] }),
    );
    const [anna] = wholeEntities(known);
    assert.deepEqual([anna?.name, anna?.aliases], ['Anna Keller', ['Anna', 'Dr. Keller']]);
  });

  it('may be told by a model of meanings', () => {
    const [mother] = wholeEntities(knownAfter(record('e1', { entities: [found('Mother')] })));
    const like = mother?.id ?? '';
    assert.deepEqual(
      namesOf(
        knownAfter(
          record('e1', { entities: [found('Mother')] }),
          record('e2', { entities: [found('Mum', { like })] }),
        ),
      ),
      ['Mother'],
    );
    // Erased meanwhile.
    assert.deepEqual(namesOf(knownAfter(record('e2', { entities: [found('Mum', { like })] }))), ['Mum']);
  });

  it('is found twice in one episode as one', () => {
    const known = knownAfter(record('e1', { entities: [found('Mia'), found('MIA', { mentions: 2 })] }));
    const [only, ...others] = wholeEntities(known);
    assert.deepEqual([only?.mentions, only?.aliases, others], [3, ['MIA'], []]);
  });
});

describe('a relationship', () => {
  const stating = (episodeId: string, relationship = sister, conversationId = `c-${episodeId}`) =>
    record(episodeId, { entities: [mia], relationships: [relationship], conversationId });

  it('that is stated again is more certain, and no other', () => {
    const [one, ...others] = wholeRelationships(knownAfter(stating('e1'), stating('e2')));
    assert.deepEqual(others, []);
    assert.ok(one && one.confidence > 0.9 && one.confidence < 1, `${one?.confidence}`);
    assert.deepEqual(one.sources, ['e1', 'e2']);
  });

  it('is no more certain when the same conversation states it again', () => {
    const [one] = wholeRelationships(knownAfter(stating('e1', sister, 'c'), stating('e2', sister, 'c')));
    assert.deepEqual([one?.confidence, one?.sources], [0.9, ['e1', 'e2']]);
  });

  it('that holds both ways is one', () => {
    const one = { from: 'Mia', to: 'user', type: 'married_to', confidence: 0.8 };
    const back = { ...one, from: 'user', to: 'Mia' };
    assert.equal(wholeRelationships(knownAfter(stating('e1', one), stating('e2', back))).length, 1);
    const owns = { ...one, type: 'owns' };
    const owned = { ...back, type: 'owns' };
    assert.equal(wholeRelationships(knownAfter(stating('e1', owns), stating('e2', owned))).length, 2);
  });

  it('of nobody that was found, or of one with itself, is dropped', () => {
    const ends = [
      ['Mia', 'Zoe'],
      ['Zoe', 'user'],
      ['Mia', 'Mia'],
      ['constructor', 'user'],
    ] as const;
    for (const [from, to] of ends)
      assert.deepEqual(wholeRelationships(knownAfter(stating('e1', { ...sister, from, to }))), []);
  });
});
