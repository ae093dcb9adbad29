import { describe, it } from 'vitest';
import { rememberTurn } from '../../src/commands/memory/rememberTurn.ts';
import { given, NOW } from '../support/given.ts';
import { anEpisode, episode } from './sample.ts';

const ingest = (turnId: string, happenedAt: number) =>
  ({ type: 'RESPONSE_INGEST', turnId, happenedAt }) as const;
const kept = [anEpisode('e1', ingest('t1', NOW)), anEpisode('e2', ingest('t2', NOW + 10_000))];
const next = { episode: episode(ingest('t3', NOW + 20_000)), findings: [], erasures: 0 };

describe('an answer that is worth it', () => {
  it('is kept for itself, as many of one session as are wanted', () => {
    given(rememberTurn, ...kept)
      .when({ ...next, mostIngests: 3 })
      .gives(anEpisode('id-1', ingest('t3', NOW + 20_000)));
    given(rememberTurn, ...kept)
      .when({ ...next, mostIngests: 2 })
      .givesNothing();
    given(rememberTurn)
      .when({ ...next, mostIngests: 0 })
      .givesNothing();
  });

  it('is one with what else was kept of the conversation within five seconds', () => {
    const preference = anEpisode('e3', { type: 'preference', turnId: 't3', happenedAt: NOW + 20_000 });
    for (const [happenedAt, isKept] of [
      [NOW + 20_000, false],
      [NOW + 24_999, false],
      [NOW + 25_000, true],
    ] as const) {
      const close = { ...next, episode: episode(ingest('t4', happenedAt)), mostIngests: 5 };
      const decided = given(rememberTurn, preference).when(close);
      if (isKept) decided.gives(anEpisode('id-1', ingest('t4', happenedAt)));
      else decided.givesNothing();
    }
  });

  it('is one with the same answer within five seconds, and not with another', () => {
    const soon = { ...ingest('t3', NOW + 14_999), summary: 'Something else' };
    given(rememberTurn, ...kept)
      .when({ ...next, episode: episode(soon), mostIngests: 5 })
      .gives(anEpisode('id-1', soon));
    given(rememberTurn, ...kept)
      .when({ ...next, episode: episode(ingest('t3', NOW + 14_999)), mostIngests: 5 })
      .givesNothing();
  });
});
