import { describe, it } from 'vitest';
import { eraseConversations, eraseEpisode, expireEpisodes } from '../../../src/commands/memory/forgetting.ts';
import {
  dismissConclusions,
  eraseConclusions,
  restoreConclusions,
  stateConclusion,
} from '../../../src/commands/memory/userChanges.ts';
import { given, NOW } from '../../support/given.ts';
import { aConclusion, anEpisode } from './sample.ts';

const oneGone = (episodeId: string, conversationId: string | null) => ({ episodeId, conversationId });

describe('erasing an episode', () => {
  it('takes all that was kept of its conversation along, and what is believed for no other reason', () => {
    given(
      eraseEpisode,
      anEpisode('e1', { conversationId: 'c1' }),
      anEpisode('e2', { conversationId: 'c1', type: 'RESPONSE_INGEST', turnId: 't1' }),
      anEpisode('e3', { conversationId: 'c3' }),
      aConclusion('k1', { sources: ['e1', 'e2'] }),
      aConclusion('k2', { sources: ['e1', 'e3'] }),
      aConclusion('k3', { by: 'user' }),
    )
      .when({ episodeId: 'e1' })
      .gives(
        { type: 'memory.episodes.erased', data: { episodes: [oneGone('e1', 'c1'), oneGone('e2', 'c1')] } },
        { type: 'memory.conclusions.erased', data: { conclusionIds: ['k1'], because: 'source-erased' } },
      );
  });

  it('is refused for one that is not there, whatever it is called', () => {
    for (const episodeId of ['e1', 'constructor', '__proto__'])
      given(eraseEpisode).when({ episodeId }).isRefused('EPISODE_UNKNOWN', { episodeId });
  });
});

describe('erasing a conversation', () => {
  it('takes all that was kept of it along, and is told also where nothing was', () => {
    const kept = anEpisode('e1', { conversationId: 'c1' });
    given(
      eraseConversations,
      kept,
      anEpisode('e2', { conversationId: 'c2' }),
      aConclusion('k1', { sources: ['e1'] }),
    )
      .when({ conversationIds: ['c1'], turnIds: ['t1'] })
      .gives(
        {
          type: 'memory.episodes.erased',
          data: { episodes: [oneGone('e1', 'c1')], conversationIds: ['c1'] },
        },
        { type: 'memory.conclusions.erased', data: { conclusionIds: ['k1'], because: 'source-erased' } },
      );
    given(eraseConversations)
      .when({ conversationIds: ['c1'], turnIds: ['t1'] })
      .gives({ type: 'memory.episodes.erased', data: { episodes: [], conversationIds: ['c1'] } });
  });
});

describe('erasing a session', () => {
  const session = { conversationIds: ['c1', 'c2'], turnIds: ['t1', 't2'] };
  const erased = (...conclusionIds: string[]) => ({
    type: 'memory.conclusions.erased',
    data: { conclusionIds, because: 'source-erased' },
  });

  it('takes what was remembered at a word in it, and not what the user said elsewhere too', () => {
    given(
      eraseConversations,
      anEpisode('e3', { conversationId: 'c3' }),
      aConclusion('k1', { by: 'model', turnIds: ['t2'] }),
      aConclusion('k2', { by: 'user' }),
      aConclusion('k3', { by: 'user', turnIds: ['t1', 't3'] }),
      aConclusion('k4', { sources: ['e3'], turnIds: ['t1'] }),
    )
      .when(session)
      .gives(
        { type: 'memory.episodes.erased', data: { episodes: [], conversationIds: ['c1', 'c2'] } },
        erased('k1'),
      );
  });

  it('takes what an episode of it said whose time was over before', () => {
    given(
      eraseConversations,
      anEpisode('e1', { conversationId: 'c1', expiresAt: NOW }),
      aConclusion('k1', { sources: ['e1'], turnIds: ['t1'] }),
      { type: 'memory.episodes.expired', data: { episodes: [oneGone('e1', 'c1')], next: null } },
    )
      .when(session)
      .gives(
        { type: 'memory.episodes.erased', data: { episodes: [], conversationIds: ['c1', 'c2'] } },
        erased('k1'),
      );
  });
});

describe('episodes', () => {
  it('expire when their time is over, and say when the next one will', () => {
    const early = anEpisode('e1', { sessionId: null, expiresAt: NOW });
    const late = anEpisode('e2', { conversationId: 'c2', expiresAt: NOW + 5 });
    given(expireEpisodes, late, early)
      .when({ now: NOW })
      .gives({
        type: 'memory.episodes.expired',
        data: { episodes: [oneGone('e1', 'c1')], next: NOW + 5 },
      });
  });

  it('leave the words of their conversation to the last of them', () => {
    const [early, late] = [anEpisode('e1', { expiresAt: NOW }), anEpisode('e2', { expiresAt: NOW + 5 })];
    given(expireEpisodes, early, late)
      .when({ now: NOW })
      .gives({
        type: 'memory.episodes.expired',
        data: { episodes: [oneGone('e1', null)], next: NOW + 5 },
      });
  });
});

describe('a conclusion', () => {
  it('can be erased once', () => {
    const erased = { type: 'memory.conclusions.erased', data: { conclusionIds: ['k1'], because: 'asked' } };
    given(eraseConclusions, aConclusion('k1'))
      .when({ conclusionIds: ['k1'] })
      .gives(erased);
    given(eraseConclusions, aConclusion('k1'), erased)
      .when({ conclusionIds: ['k1'] })
      .isRefused('CONCLUSION_UNKNOWN');
  });

  it('that the user states takes the place of the one that they name', () => {
    const input = {
      conclusionId: 'k2',
      text: 'I live in Bergen',
      type: 'corrected',
      supersedes: 'k1',
    } as const;
    const drawn = { ...input, confidence: 1, sources: [], turnIds: [], about: 'home.city', by: 'user' };
    const { supersedes: _, ...data } = drawn;
    given(stateConclusion, aConclusion('k1', { about: 'home.city' }))
      .when(input)
      .gives(
        { type: 'memory.conclusion.drawn', data },
        {
          type: 'memory.conclusion.superseded',
          data: { conclusionId: 'k1', supersededBy: 'k2', because: 'corrected' },
        },
      );
    given(stateConclusion).when(input).isRefused('CONCLUSION_UNKNOWN');
  });

  it('is gone when it was put aside for so long that it cannot be restored any more', () => {
    const pruned = (conclusionId: string, restorableUntil: number) => ({
      type: 'memory.conclusion.pruned',
      data: { sweepId: 's', conclusionId, confidence: 0.2, limit: 0.3, restorableUntil },
    });
    const past = [aConclusion('k1'), aConclusion('k2'), pruned('k1', NOW), pruned('k2', NOW + 1)];
    given(restoreConclusions, ...past)
      .when({ conclusionIds: ['k1'] })
      .isRefused('CONCLUSION_UNKNOWN');
    given(expireEpisodes, ...past, anEpisode('e1', { expiresAt: NOW + 2 }))
      .when({ now: NOW })
      .gives(
        { type: 'memory.conclusions.erased', data: { conclusionIds: ['k1'], because: 'expired' } },
        { type: 'memory.episodes.expired', data: { episodes: [], next: NOW + 1 } },
      );
    const restored = { type: 'memory.conclusion.restored', data: { conclusionId: 'k1' } };
    given(expireEpisodes, ...past, restored)
      .when({ now: NOW })
      .gives({ type: 'memory.episodes.expired', data: { episodes: [], next: NOW + 1 } });
  });

  it('is put aside where the user does not want it believed, and comes back whole', () => {
    const dismissed = {
      type: 'memory.conclusions.dismissed',
      data: { conclusionIds: ['k1', 'k2'], restorableUntil: NOW + 5 },
    };
    const known = [aConclusion('k1'), aConclusion('k2'), aConclusion('k3')];
    const input = { conclusionIds: ['k1', 'k2', 'k1', 'nothing'], retentionMs: 5 };
    given(dismissConclusions, ...known)
      .when(input)
      .gives(dismissed);
    given(dismissConclusions, ...known, dismissed)
      .when(input)
      .isRefused('CONCLUSION_UNKNOWN');
    given(restoreConclusions, ...known, dismissed)
      .when({ conclusionIds: ['k3', 'k2', 'k1'] })
      .gives(
        { type: 'memory.conclusion.restored', data: { conclusionId: 'k2' } },
        { type: 'memory.conclusion.restored', data: { conclusionId: 'k1' } },
      );
    given(expireEpisodes, ...known, dismissed)
      .when({ now: NOW + 5 })
      .gives(
        { type: 'memory.conclusions.erased', data: { conclusionIds: ['k1', 'k2'], because: 'expired' } },
        { type: 'memory.episodes.expired', data: { episodes: [], next: null } },
      );
  });

  it('is restored when it was put aside, and only then', () => {
    const aside = {
      type: 'memory.conclusion.superseded',
      data: { conclusionId: 'k1', supersededBy: 'k2', because: 'replaced' },
    };
    given(restoreConclusions, aConclusion('k1'), aside)
      .when({ conclusionIds: ['k1'] })
      .gives({ type: 'memory.conclusion.restored', data: { conclusionId: 'k1' } });
    given(restoreConclusions, aConclusion('k1'))
      .when({ conclusionIds: ['k1'] })
      .isRefused('CONCLUSION_UNKNOWN');
  });
});
