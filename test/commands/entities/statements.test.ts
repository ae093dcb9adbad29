import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { FoundRelationship, RecordEntities } from '../../../src/commands/entities/recordEntities.ts';
import { relationshipStatements } from '../../../src/commands/entities/statements.ts';
import { userEntities } from '../../../src/folds/entities/entities.ts';
import { fold, NOW } from '../../support/given.ts';
import { after, found, knownAfter, record, recorded } from './sample.ts';

const people = ['Mia', 'Bob', 'Ann'].map((name) => found(name));
const places = ['Bergen', 'Oslo'].map((name) => found(name, { type: 'place' }));
const firms = ['Acme', 'Acme Norway'].map((name) => found(name, { type: 'organization' }));
const entities = [...people, ...places, ...firms, found('Rex', { type: 'thing' })];

const says = (from: string, type: string, to: string): FoundRelationship => {
  return { from, type, to, confidence: 0.9 };
};
const stating = (episodeId: string, relationships: readonly FoundRelationship[], seenAt = NOW) =>
  record(episodeId, { entities, relationships, seenAt });
const textsOf = (...records: readonly RecordEntities[]) =>
  relationshipStatements(knownAfter(...records)).map(({ text }) => text);

describe('what relationships say', () => {
  it('is a sentence each, which names what people are to the user', () => {
    const stated = [
      says('Mia', 'sister_of', 'user'),
      says('Mia', 'lives_in', 'Bergen'),
      says('Bob', 'brother_of', 'Ann'),
      says('Ann', 'works_for', 'Mia'),
      says('user', 'owns', 'Rex'),
      says('Acme Norway', 'part_of', 'Acme'),
      says('Acme', 'located_in', 'Oslo'),
    ];
    assert.deepEqual(textsOf(stating('e1', stated)), [
      "Mia is the user's sister.",
      "Mia, the user's sister, lives in Bergen.",
      "Bob is Ann's brother.",
      "Ann works for Mia, the user's sister.",
      'The user owns Rex.',
      'Acme Norway is part of Acme.',
      'Acme is located in Oslo.',
    ]);
  });

  it('is the same whichever way it was said, where it holds both ways', () => {
    for (const ends of [says('user', 'married_to', 'Ann'), says('Ann', 'married_to', 'user')])
      assert.deepEqual(textsOf(stating('e1', [ends])), ["Ann is the user's spouse."]);
    assert.deepEqual(textsOf(stating('e1', [says('user', 'sister_of', 'Ann')])), [
      "The user is Ann's sister.",
    ]);
  });

  it('is what was said last, of what somebody has one at a time', () => {
    const [bergen, oslo] = [says('Mia', 'lives_in', 'Bergen'), says('Mia', 'lives_in', 'Oslo')];
    const later = [stating('e1', [bergen], NOW), stating('e2', [oslo], NOW + 1)];
    assert.deepEqual(textsOf(...later), ['Mia lives in Oslo.']);
    assert.deepEqual(textsOf(stating('e1', [oslo], NOW + 1), stating('e2', [bergen], NOW)), [
      'Mia lives in Oslo.',
    ]);
    assert.deepEqual(textsOf(...later, stating('e3', [bergen], NOW + 2)), ['Mia lives in Bergen.']);
  });

  it('does not repeat what conclusions say of the user, and a later word replaces', () => {
    assert.deepEqual(textsOf(stating('e1', [says('user', 'lives_in', 'Oslo')])), []);
  });

  it('follows what is said next, and names the episodes that say it', () => {
    const past = recorded(stating('e1', [says('Mia', 'lives_in', 'Bergen')], NOW));
    const known = fold(userEntities, past);
    const [before] = relationshipStatements(known);
    assert.deepEqual([before?.text, before?.at, before?.sources], ['Mia lives in Bergen.', NOW, ['e1']]);
    const events = after(past, stating('e2', [says('Mia', 'sister_of', 'user')], NOW + 1));
    for (const event of events) userEntities.evolve(known, { ...event, at: NOW });
    assert.ok(relationshipStatements(known).some(({ text }) => text.startsWith("Mia, the user's sister,")));
  });
});
