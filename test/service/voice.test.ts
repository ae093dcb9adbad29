import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../support/service.ts';

const stages = [
  'endOfSpeechToFirstAudio',
  'endOfTurn',
  'recognition',
  'firstText',
  'firstSentence',
  'synthesis',
];
const none = { p50: 0, p95: 0, p99: 0, count: 0 };

describe('voice, where nobody has spoken yet', () => {
  let service: InProcessService;
  beforeAll(async () => {
    service = await InProcessService.start();
  });
  afterAll(() => service.stop());

  test('says what hears and speaks: it speaks out of the box', async () => {
    const { status, body } = await service.ask<Record<string, unknown>>('GET', '/api/voice/status');
    assert.equal(status, 200);
    assert.deepEqual([body.available, body.activeSessions], [true, 0]);
    const { tts, vad, wake } = Object(body.pipeline);
    assert.deepEqual([tts, wake], [{ engine: 'flite', model: null, status: 'ready' }, null]);
    assert.deepEqual([vad.engine, vad.status], ['silero', 'ready']);
  });

  test('has no sessions', async () => {
    const { status, body } = await service.ask('GET', '/api/sessions');
    assert.deepEqual([status, body], [200, { sessions: [], count: 0 }]);
  });

  test('has zeros for figures', async () => {
    const { status, body } = await service.ask<Record<string, unknown>>('GET', '/api/voice/stats');
    assert.equal(status, 200);
    const { latency, timestamp, ...rest } = body;
    assert.deepEqual(rest, {
      stt: none,
      tts: none,
      audioChunksIn: 0,
      audioChunksOut: 0,
      gaps: 0,
      requestsPerMinute: 0,
      activeSessions: 0,
    });
    assert.equal(typeof timestamp, 'number');
    const all = [...stages, 'bargeIn', 'bargeInEnd'];
    assert.deepEqual(latency, Object.fromEntries(all.map((stage) => [stage, none])));
  });
});
