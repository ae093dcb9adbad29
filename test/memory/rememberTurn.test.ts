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

  it('is one with another that came within five seconds', () => {
    const close = { ...next, episode: episode(ingest('t3', NOW + 14_999)), mostIngests: 5 };
    given(rememberTurn, ...kept)
      .when(close)
      .givesNothing();
  });
});
