import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Statements } from '../../../src/application/memory/statements.ts';
import { changeEntity } from '../../../src/commands/entities/changeEntity.ts';
import { eraseEntity, forgetEpisodes } from '../../../src/commands/entities/forgetting.ts';
import { keepRelationshipVectors } from '../../../src/commands/entities/keepRelationshipVectors.ts';
import { keepProfileVectors } from '../../../src/commands/memory/keepVectors.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { userEntities } from '../../../src/folds/entities/entities.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { found, record, recorded } from '../../commands/entities/sample.ts';
import { decide, fold, given } from '../../support/given.ts';

const by = { provider: 'local-runner', model: 'small' } as const;
const SMALL = 'local-runner/small';
const lives = { from: 'Mia', to: 'Bergen', type: 'lives_in', confidence: 0.9 };
const said = recorded(
  record('e1', { entities: [found('Mia'), found('Bergen', { type: 'place' })], relationships: [lives] }),
);
const vectors = { ...by, dimensions: 1, vectors: 'AACAPw==' };
const made = { ...vectors, relationshipIds: ['e1-3'], texts: ['Mia lives in Bergen.'] };
const kept: NewEvent = { type: 'entities.relationships.embedded', data: made };
const missing = (...events: readonly NewEvent[]) =>
  new Statements(fold(remembered, []), fold(userEntities, events)).withoutVector(SMALL);

describe('vectors of relationships', () => {
  it('are kept, and are then not missing for that model', () => {
    assert.deepEqual(
      missing(...said).map(({ id, text }) => [id, text]),
      [['e1-3', 'Mia lives in Bergen.']],
    );
    given(keepRelationshipVectors, ...said)
      .when({ made, erasures: 0 })
      .gives(kept);
    assert.deepEqual(missing(...said, kept), []);
  });

  it('are not kept when something was erased while they were made', () => {
    const erased = decide(forgetEpisodes, fold(userEntities, said), { episodeIds: ['e1'] });
    given(keepRelationshipVectors, ...said, ...erased)
      .when({ made, erasures: 0 })
      .givesNothing();
  });

  it('go with whatever is erased that their sentences may be made of, and with nothing else', () => {
    const known = fold(userEntities, [...said, kept]);
    for (const events of [
      decide(forgetEpisodes, known, { episodeIds: ['e1'] }),
      decide(forgetEpisodes, known, { episodeIds: 'all' }),
      decide(eraseEntity, known, { entityId: 'e1-2' }),
    ]) {
      assert.match(JSON.stringify(events), /"subjects":\[[^\]]*"relationships"/);
      assert.deepEqual(fold(userEntities, [...said, kept, ...events]).embedded, {});
    }
    const nothing = decide(forgetEpisodes, known, { episodeIds: ['another'] });
    assert.match(JSON.stringify(nothing), /"subjects":\[\]/);
    assert.deepEqual(missing(...said, kept, ...nothing), []);
  });

  it('are missing again when their sentence says something else', () => {
    const known = fold(userEntities, [...said, kept]);
    const renamed = decide(changeEntity, known, { entityId: 'e1-1', name: 'Mia Keller' });
    const texts = missing(...said, kept, ...renamed).map(({ text }) => text);
    assert.deepEqual(texts, ['Mia Keller lives in Bergen.']);
  });
});

describe('vectors of conclusions', () => {
  const drawn = (conclusionId: string): NewEvent => ({
    type: 'memory.conclusion.drawn',
    data: {
      conclusionId,
      type: 'explicit',
      about: 'likes',
      by: 'user',
      text: `I like ${conclusionId}`,
      confidence: 1,
      sources: [],
      turnIds: [],
    },
  });
  const embedded = {
    type: 'memory.conclusion.embedded',
    data: { ...by, conclusionId: 'tea', vector: 'AACAPw==' },
  };
  const erased = { type: 'memory.conclusions.erased', data: { conclusionIds: ['tea'], because: 'asked' } };
  const known = (...events: readonly NewEvent[]) =>
    new Statements(fold(remembered, events), fold(userEntities, []));

  it('are needed of those that are believed and have none of this model, asked one by one or all together', () => {
    const statements = known(drawn('tea'), drawn('jam'), embedded);
    assert.equal(statements.needsNoVector('conclusion-tea', SMALL), true);
    assert.equal(statements.needsNoVector('conclusion-tea', 'local-runner/other'), false);
    assert.equal(statements.needsNoVector('conclusion-jam', SMALL), false);
    assert.deepEqual(
      statements.withoutVector(SMALL).map(({ id }) => id),
      ['jam'],
    );
    assert.equal(known(drawn('tea'), erased).needsNoVector('conclusion-tea', SMALL), true);
  });
});

describe('vectors of the profile', () => {
  const changed = (tone: string): NewEvent => ({
    type: 'memory.profile.changed',
    data: { profile: { preferences: { tone } } },
  });
  const profile = { preferences: { tone: 'terse' } };
  const event: NewEvent = { type: 'memory.profile.embedded', data: vectors };
  const lines = (...events: readonly NewEvent[]) =>
    new Statements(fold(remembered, events), fold(userEntities, [])).withoutVector(SMALL);

  it('are kept of the profile as it is, and missing as soon as it is another', () => {
    given(keepProfileVectors, changed('terse')).when({ made: vectors, profile }).gives(event);
    given(keepProfileVectors, changed('terse'), changed('chatty'))
      .when({ made: vectors, profile })
      .givesNothing();
    assert.deepEqual(lines(changed('terse'), event), []);
    assert.equal(lines(changed('terse'), event, changed('chatty')).length, 1);
  });
});
