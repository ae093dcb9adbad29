import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { changeEntity, mergeEntities, unmergeEntities } from '../../../src/commands/entities/changeEntity.ts';
import { eraseEntity, expireEpisodes, forgetEpisodes } from '../../../src/commands/entities/forgetting.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { userEntities } from '../../../src/folds/entities/entities.ts';
import { wholeEntities, wholeEntity, wholeRelationships } from '../../../src/folds/entities/whole.ts';
import { decide, fold, given } from '../../support/given.ts';
import { after, found, namesOf, record, recorded } from './sample.ts';

const owns = { from: 'Robert', to: 'Rex', type: 'owns', confidence: 0.9 };
const rex = found('Rex', { type: 'thing' });
/** `e1-1` Robert and `e1-2` Rex, whom he owns by `e1-3`; `e2-1` Bob. */
const past = recorded(
  record('e1', { entities: [found('Robert'), rex], relationships: [owns] }),
  record('e2', { entities: [found('Bob')] }),
);
const merged = [...past, { type: 'entities.entity.merged', data: { entityId: 'e1-1', mergedId: 'e2-1' } }];
const bobs = record('e3', {
  entities: [found('Bob'), rex],
  relationships: [{ ...owns, from: 'Bob' }],
});
const unmerged = { type: 'entities.entity.unmerged', data: { entityId: 'e1-1', mergedId: 'e2-1' } };
const seen = (...events: readonly NewEvent[]) => {
  const known = fold(userEntities, events);
  return { entities: wholeEntities(known), relationships: wholeRelationships(known) };
};

describe('an entity', () => {
  it('that is not there can be neither changed, erased nor merged, whatever it is called', () => {
    for (const entityId of ['e9', 'constructor', '__proto__']) {
      given(changeEntity, ...past)
        .when({ entityId, name: 'X' })
        .isRefused('ENTITY_UNKNOWN', { entityId });
      given(eraseEntity, ...past)
        .when({ entityId })
        .isRefused('ENTITY_UNKNOWN', { entityId });
      given(mergeEntities, ...past)
        .when({ primaryId: 'e1-1', entityId })
        .isRefused('ENTITY_UNKNOWN', { entityId });
      given(mergeEntities, ...past)
        .when({ primaryId: entityId, entityId: 'e1-1' })
        .isRefused('ENTITY_UNKNOWN', { entityId });
      given(unmergeEntities, ...merged)
        .when({ primaryId: 'e1-1', entityId })
        .isRefused('ENTITY_UNKNOWN', { entityId });
    }
  });

  it('is called what the user says, and found by that', () => {
    const data = { entityId: 'e1-1', type: null, name: 'Roberto', aliases: null };
    given(changeEntity, ...past)
      .when({ entityId: 'e1-1', name: 'Roberto' })
      .gives({ type: 'entities.entity.changed', data });
    given(changeEntity, ...past)
      .when({ entityId: 'e1-1' })
      .givesNothing();
    const changed = [...past, { type: 'entities.entity.changed', data }];
    const again = [...changed, ...after(changed, record('e3', { entities: [found('roberto')] }))];
    const roberto = wholeEntity(fold(userEntities, again), 'e1-1');
    assert.deepEqual(
      [roberto?.name, roberto?.aliases.includes('Robert'), roberto?.episodeIds],
      ['Roberto', true, ['e1', 'e3']],
    );
  });

  it('has the aliases and the type that the user says', () => {
    const data = { entityId: 'e1-1', type: 'organization', name: null, aliases: ['Bobby'] };
    const known = fold(userEntities, [...past, { type: 'entities.entity.changed', data }]);
    const one = wholeEntity(known, 'e1-1');
    assert.deepEqual([one?.name, one?.aliases, one?.type], ['Robert', ['Bobby'], 'organization']);
  });

  it('goes with its relationships, and with the keys of all that was said of it', () => {
    given(eraseEntity, ...past)
      .when({ entityId: 'e1-1' })
      .gives({
        type: 'entities.erased',
        data: {
          because: 'asked',
          entityIds: ['e1-1'],
          changedIds: [],
          relationshipIds: ['e1-3'],
          episodeIds: [],
          subjects: ['entity-e1-1', 'entity-e1-1-e1', 'relationship-e1-3-e1'],
        },
      });
  });

  it('takes what was merged into it along', () => {
    const erased = decide(eraseEntity, fold(userEntities, merged), { entityId: 'e1-1' });
    assert.deepEqual(namesOf(fold(userEntities, [...merged, ...erased])), ['Rex']);
  });
});

describe('merging', () => {
  it('makes one of two, under the name of the first', () => {
    const { entities } = seen(...merged);
    const [robert, ...others] = entities;
    assert.deepEqual(
      [robert?.id, robert?.name, robert?.aliases, robert?.episodeIds],
      ['e1-1', 'Robert', ['Bob'], ['e1', 'e2']],
    );
    assert.deepEqual(
      others.map(({ name }) => name),
      ['Rex'],
    );
  });

  it('is refused with itself, and of what counts as another already', () => {
    given(mergeEntities, ...past)
      .when({ primaryId: 'e1-1', entityId: 'e1-1' })
      .isRefused('BAD_REQUEST');
    given(mergeEntities, ...merged)
      .when({ primaryId: 'e1-1', entityId: 'e2-1' })
      .isRefused('ENTITY_UNKNOWN');
    given(mergeEntities, ...merged)
      .when({ primaryId: 'e2-1', entityId: 'e1-2' })
      .isRefused('ENTITY_UNKNOWN');
  });

  it('makes one of what is said of both', () => {
    const known = [...merged, ...after(merged, bobs)];
    const [one, ...others] = seen(...known).relationships;
    assert.deepEqual([one?.from, one?.sources, others], ['e1-1', ['e1', 'e3'], []]);
  });

  it('can be undone: all is as it was', () => {
    given(unmergeEntities, ...merged)
      .when({ primaryId: 'e1-1', entityId: 'e2-1' })
      .gives(unmerged);
    assert.deepEqual(seen(...merged, unmerged), seen(...past));
    given(unmergeEntities, ...past)
      .when({ primaryId: 'e1-1', entityId: 'e2-1' })
      .isRefused('ENTITY_UNKNOWN');
  });

  it('leaves each what was found of it meanwhile, when it is undone', () => {
    const known = seen(...merged, ...after(merged, bobs), unmerged);
    const bob = known.entities.find(({ name }) => name === 'Bob');
    assert.deepEqual(bob?.episodeIds, ['e2', 'e3']);
  });
});

describe('an episode that is erased', () => {
  it('takes along what is known from nothing else', () => {
    const again = [
      ...past,
      ...after(past, record('e3', { entities: [found('Robert', { aliases: ['Robbie'] })] })),
    ];
    const erased = decide(forgetEpisodes, fold(userEntities, again), { episodeIds: ['e1'] });
    assert.deepEqual(erased, [
      {
        type: 'entities.erased',
        data: {
          because: 'source-erased',
          entityIds: ['e1-2'],
          changedIds: ['e1-1'],
          relationshipIds: ['e1-3'],
          episodeIds: ['e1'],
          subjects: ['entity-e1-2', 'entity-e1-1-e1', 'entity-e1-2-e1', 'relationship-e1-3-e1'],
        },
      },
    ]);
    const { entities, relationships } = seen(...again, ...erased);
    assert.deepEqual(
      entities.map(({ name, episodeIds }) => [name, episodeIds]),
      [
        ['Robert', ['e3']],
        ['Bob', ['e2']],
      ],
    );
    assert.deepEqual(relationships, []);
  });

  it('takes the names along that it alone said', () => {
    const again = [
      ...past,
      ...after(past, record('e3', { entities: [found('Robert', { aliases: ['Robbie'] })] })),
    ];
    const erased = decide(forgetEpisodes, fold(userEntities, again), { episodeIds: ['e3'] });
    const robert = seen(...again, ...erased).entities.find(({ id }) => id === 'e1-1');
    assert.deepEqual(robert?.aliases, []);
  });

  it('is told also when nothing is known of it, for who is reading it', () => {
    const [event] = decide(forgetEpisodes, fold(userEntities, []), { episodeIds: ['e1'] });
    assert.equal(event?.type, 'entities.erased');
  });

  it('with all of memory takes everything along', () => {
    const erased = decide(forgetEpisodes, fold(userEntities, merged), { episodeIds: 'all' });
    const { entities, relationships, read } = fold(userEntities, [...merged, ...erased]);
    assert.deepEqual([entities, relationships, read], [{}, {}, {}]);
  });
});

describe('an episode whose time is over', () => {
  it('leaves what it named, without itself', () => {
    const [expired] = decide(expireEpisodes, fold(userEntities, past), { episodeIds: ['e1', 'e9'] });
    assert.deepEqual(expired, { type: 'entities.episodes.expired', data: { episodeIds: ['e1'] } });
    const { entities, relationships } = seen(...past, ...(expired ? [expired] : []));
    assert.deepEqual(
      entities.map(({ name, episodeIds }) => [name, episodeIds]),
      [
        ['Robert', []],
        ['Rex', []],
        ['Bob', ['e2']],
      ],
    );
    assert.deepEqual(relationships[0]?.sources, []);
    given(expireEpisodes, ...past)
      .when({ episodeIds: ['e9'] })
      .givesNothing();
  });
});
