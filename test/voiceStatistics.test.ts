import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Metrics } from '../src/metrics.ts';
import { VoiceStatistics } from '../src/voiceStatistics.ts';

const none = { p50: 0, p95: 0, p99: 0, count: 0 };

describe('the figures of voice', () => {
  it('are zeros where nobody has spoken', () => {
    const { latency, ...rest } = new VoiceStatistics(() => 0).figures();
    assert.deepEqual(Object.values(latency), Array(8).fill(none));
    assert.deepEqual(rest, { audioChunksIn: 0, audioChunksOut: 0, gaps: 0, requestsPerMinute: 0 });
  });

  it('are quantiles of the newest of each stage, and how many there were', () => {
    const statistics = new VoiceStatistics(() => 0);
    for (let ms = 1; ms <= 2_000; ms++) statistics.took('bargeIn', ms);
    const { latency } = statistics.figures();
    assert.deepEqual(latency.bargeIn, { p50: 1_488, p95: 1_949, p99: 1_990, count: 2_000 });
    assert.deepEqual(latency.bargeInEnd, none);
  });

  it('have the turns of the last minute', () => {
    let now = 1_700_000_000_000;
    const statistics = new VoiceStatistics(() => now);
    statistics.turnTaken();
    now += 30_000;
    statistics.turnTaken();
    assert.equal(statistics.figures().requestsPerMinute, 2);
    now += 31_000;
    assert.equal(statistics.figures().requestsPerMinute, 1);
  });

  it('are metrics too, by stage and direction alone', async () => {
    const metrics = new Metrics();
    const statistics = new VoiceStatistics(
      () => 0,
      (stage, ms) => metrics.voiceStage.observe({ stage }, ms / 1_000),
    );
    statistics.took('synthesis', 40);
    statistics.audioChunksIn = 7;
    statistics.gaps = 2;
    metrics.takeOver(statistics);
    metrics.takeOver(statistics);
    const shown = await metrics.render();
    assert.match(shown, /service_voice_stage_duration_seconds_sum\{stage="synthesis"\} 0\.04\n/);
    assert.match(shown, /service_voice_audio_frames_total\{direction="in"\} 7\n/);
    assert.match(shown, /service_voice_audio_frames_total\{direction="out"\} 0\n/);
    assert.match(shown, /service_voice_gaps_total 2\n/);
  });
});
