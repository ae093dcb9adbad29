import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Finding } from '../../../src/commands/memory/findings.ts';
import {
  type ImportRecords,
  importConversation,
  importRecords,
  importStatements,
} from '../../../src/commands/memory/imports.ts';
import { userMemory } from '../../../src/commands/memory/state.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { activeOnes } from '../../../src/folds/memory/conclusion.ts';
import { fold, given, NOW } from '../../support/given.ts';
import { aConclusion, anEpisode, episode } from './sample.ts';

const nothing: ImportRecords = { profile: {}, episodes: [], conclusions: [], contradictions: [] };
const turns = [{ role: 'user', name: null, text: 'I moved', at: NOW }] as const;

describe('a conversation from elsewhere', () => {
  const lives = (city: string): Finding => ({
    ...{ text: `The user lives in ${city}.`, about: 'home.city', type: 'explicit' },
    ...{ confidence: 0.9, by: 'offline', turnIds: [] },
  });
  const told = (city: string, happenedAt: number) => ({
    ...{ episodeId: city, sessionId: city, turns, findings: [lives(city)] },
    episode: episode({ conversationId: null, happenedAt }),
  });
  /** What is believed after these were taken in, one after the other. */
  const believed = (...conversations: readonly ReturnType<typeof told>[]) => {
    const past: NewEvent[] = [];
    for (const one of conversations)
      past.push(
        ...importConversation.decide(fold(userMemory, past), one, {
          now: NOW,
          newId: () => `k-${one.sessionId}`,
        }),
      );
    return activeOnes(fold(userMemory, past)).map(({ id }) => id);
  };

  it('changes nothing that was said later, whatever comes in first', () => {
    const [early, late] = [told('Oslo', 1_000), told('Bergen', 2_000)];
    assert.deepEqual(believed(early, late), ['k-Bergen']);
    assert.deepEqual(believed(late, early), ['k-Bergen']);
  });
});

describe('a belief from elsewhere', () => {
  const said = (at: number, text = 'I moved') => ({ role: 'user', name: null, text, at }) as const;
  const finding: Finding = {
    ...{ text: 'The user lives in Oslo.', about: 'home.city', type: 'explicit' },
    ...{ confidence: 0.9, by: 'offline', turnIds: ['1'] },
  };
  const taken = (episodeId: string, turns: readonly ReturnType<typeof said>[]) => ({
    ...{ episodeId, sessionId: episodeId, turns, findings: [finding] },
    episode: episode({ conversationId: null, happenedAt: turns.at(-1)?.at ?? 0 }),
  });
  const after = (...talks: readonly ReturnType<typeof taken>[]) => {
    const past: NewEvent[] = [];
    for (const talk of talks)
      past.push(...importConversation.decide(fold(userMemory, past), talk, { now: NOW, newId: () => 'k' }));
    return fold(userMemory, past).conclusions.k;
  };

  it('is as old as the words that say it, not as their coming here', () => {
    const known = after(taken('e1', [said(1_000), said(2_000), said(3_000)]));
    assert.deepEqual([known?.lastEvidenceAt, known?.createdAt], [2_000, NOW]);
  });

  it('is not older for words that were said before', () => {
    const [late, early] = [taken('late', [said(1), said(9_000)]), taken('early', [said(1), said(5_000)])];
    assert.equal(after(late, early)?.lastEvidenceAt, 9_000);
    assert.equal(after(early, late)?.lastEvidenceAt, 9_000);
  });

  it('is not said in days to come', () => {
    assert.equal(after(taken('e1', [said(1), said(NOW + 9_000)]))?.lastEvidenceAt, NOW);
  });
});

describe('statements written for another tool', () => {
  const written = { conclusionId: 'k1', text: 'Answer in English' };
  const drawn = {
    ...written,
    type: 'explicit',
    confidence: 0.8,
    sources: [],
    turnIds: [],
    about: null,
    by: 'import',
  };

  it('are believed, less than what the user says to us', () => {
    given(importStatements)
      .when({ statements: [written] })
      .gives({ type: 'memory.conclusion.drawn', data: drawn });
  });

  it('do not come back when something took their place', () => {
    given(importStatements, aConclusion('k1'), {
      type: 'memory.conclusion.superseded',
      data: { conclusionId: 'k1', supersededBy: 'k2', because: 'replaced' },
    })
      .when({ statements: [written] })
      .givesNothing();
  });
});

describe('records of another memory', () => {
  it('bring the words of an episode along, and what was marked of it', () => {
    const kept = { episodeId: 'e1', episode: episode({ conversationId: null, flagged: true }), turns };
    given(importRecords)
      .when({ ...nothing, episodes: [kept] })
      .gives(
        { type: 'memory.conversation.imported', data: { episodeId: 'e1', sessionId: 's1', turns } },
        { type: 'memory.episode.created', data: { episodeId: 'e1', ...kept.episode } },
      );
  });

  it('leave what is there as it is', () => {
    const kept = { episodeId: 'e1', episode: episode(), turns };
    given(importRecords, anEpisode('e1'), aConclusion('k1'))
      .when({ ...nothing, episodes: [kept] })
      .givesNothing();
  });

  it('add to a profile what is not in it', () => {
    const profile = { name: 'Eva', preferences: { tea: 'green', milk: 'none' } };
    given(importRecords, {
      type: 'memory.profile.changed',
      data: { profile: { name: 'Ann', preferences: { tea: 'black' } } },
    })
      .when({ ...nothing, profile })
      .gives({
        type: 'memory.profile.changed',
        data: { profile: { preferences: { tea: 'black', milk: 'none' } } },
      });
  });
});
