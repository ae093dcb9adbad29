import { describe, it } from 'vitest';
import { type KeepVectors, keepVectors } from '../../../src/commands/memory/keepVectors.ts';
import { given } from '../../support/given.ts';
import { anEpisode } from './sample.ts';

const vectorsOf = (episodeId: string, given: Partial<KeepVectors[number]> = {}): KeepVectors[number] => ({
  episodeId,
  provider: 'local-runner',
  model: 'small',
  ids: [episodeId],
  dimensions: 1,
  vectors: 'AACAPw==',
  ...given,
});
const made = (data: KeepVectors[number]) => ({ type: 'memory.vectors.made', data });

describe('vectors', () => {
  it('are kept once for each episode and model, all parts of them together', () => {
    const [one, other] = [vectorsOf('e1'), vectorsOf('e1', { ids: ['e1#0'] })];
    given(keepVectors, anEpisode('e1')).when([one, other]).gives(made(one), made(other));
    given(keepVectors, anEpisode('e1'), made(one)).when([one, other]).givesNothing();
    const ofAnother = vectorsOf('e1', { model: 'large' });
    given(keepVectors, anEpisode('e1'), made(one)).when([ofAnother]).gives(made(ofAnother));
  });

  it('are not kept of an episode that is gone, whatever it is called', () => {
    const erased = { episodes: [{ episodeId: 'e1', conversationId: 'c1' }] };
    const gone = { type: 'memory.episodes.erased', data: erased };
    given(keepVectors, anEpisode('e1'), gone)
      .when([vectorsOf('e1')])
      .givesNothing();
    given(keepVectors)
      .when([vectorsOf('constructor')])
      .givesNothing();
  });

  it('are made again of an episode that was erased and came back', () => {
    const erased = { episodes: [{ episodeId: 'e1', conversationId: 'c1' }] };
    const gone = { type: 'memory.episodes.erased', data: erased };
    const back = [anEpisode('e1'), made(vectorsOf('e1')), gone, anEpisode('e1')];
    given(keepVectors, ...back)
      .when([vectorsOf('e1')])
      .gives(made(vectorsOf('e1')));
  });
});
