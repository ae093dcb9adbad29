import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { ToolCalls } from '../../../src/application/chat/toolCalls.ts';
import type { VoiceRooms } from '../../../src/application/voice/conversation.ts';
import type { VoicePipeline } from '../../../src/application/voice/pipeline.ts';
import { voiceOperations } from '../../../src/interfaces/operations/voice.ts';
import { toolOf } from '../../../src/interfaces/tools/operationTool.ts';
import { voiceTools } from '../../../src/interfaces/tools/voice.ts';
import { VoiceStatistics } from '../../../src/voiceStatistics.ts';
import { startOperations } from '../../support/operations.ts';

const context = { userId: 'ann', sessionId: null, correlationId: 'turn', origin: 'model' } as const;
const never = new AbortController().signal;

function toolsWhere(is: { readonly heard: boolean; readonly spoken: boolean }) {
  const asked: unknown[] = [];
  const rooms: Pick<VoiceRooms, 'speak' | 'listen'> = {
    speak: (userId, what) => {
      asked.push([userId, what]);
      return 'v1';
    },
    listen: async (userId, { durationMs, sessionId }) => {
      asked.push([userId, { durationMs, sessionId }]);
      return sessionId === undefined ? '' : 'hello';
    },
  };
  const tools = voiceTools({
    ears: { isAvailable: async () => is.heard },
    mouth: { isAvailable: async () => is.spoken },
    rooms: async () => rooms,
  }).map(toolOf);
  const onFailure = (_what: string, error: unknown) => assert.ifError(error);
  const registry = { get: (name: string) => tools.find((tool) => tool.name === name) };
  const calls = new ToolCalls({ registry, scopeOf: () => undefined, onFailure });
  const call = async (name: string, input: Record<string, unknown>) =>
    (
      await calls.run(
        { id: '1', name, input },
        { context: { ...context, reveal: () => undefined }, signal: never },
      )
    ).result;
  return { call, asked };
}

describe('voice.speak and voice.listen', () => {
  it('say that nothing speaks, or understands', async () => {
    const { call, asked } = toolsWhere({ heard: false, spoken: false });
    assert.equal(await call('voice.speak', { text: 'Hi' }), 'Error: TTS provider unavailable');
    assert.equal(await call('voice.listen', {}), 'Error: STT provider unavailable');
    assert.deepEqual(asked, []);
  });

  it('act in the session that is named, and for as long as is said', async () => {
    const { call, asked } = toolsWhere({ heard: true, spoken: true });
    assert.equal(
      await call('voice.speak', { text: 'Hi', voice: 'slt' }),
      'Speech is queued in voice session v1',
    );
    assert.equal(await call('voice.listen', {}), '[no speech]');
    assert.equal(await call('voice.listen', { durationMs: 30_000, sessionId: 'v2' }), 'hello');
    assert.deepEqual(asked, [
      ['ann', { text: 'Hi', voice: 'slt' }],
      ['ann', { durationMs: 5_000, sessionId: undefined }],
      ['ann', { durationMs: 30_000, sessionId: 'v2' }],
    ]);
  });
});

describe('the routes of voice', () => {
  const nothing: VoicePipeline = { stt: null, tts: null, vad: null, wake: null };
  const broken: VoicePipeline = { ...nothing, stt: { engine: 'sherpa', model: 'small', status: 'failed' } };
  const noticing: VoicePipeline = {
    ...broken,
    vad: { engine: 'silero', model: 'silero-vad', status: 'ready' },
  };

  for (const pipeline of [nothing, broken, noticing])
    it(`say that nothing can be used: ${JSON.stringify(pipeline)}`, async () => {
      const server = await startOperations(
        voiceOperations({
          sessions: { of: () => [], activeCount: () => 0, openCount: () => 0, lastEndedAt: () => undefined },
          pipeline: async () => pipeline,
          statistics: new VoiceStatistics(() => 0),
          clock: () => 0,
        }),
      );
      const ask = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);
      const status = await ask('/api/voice/status');
      assert.deepEqual([status.status, await status.json()], [200, { available: false }]);
      const sessions = await ask('/api/sessions');
      assert.deepEqual([sessions.status, (await ask('/api/voice/stats')).status], [503, 200]);
      assert.match(await sessions.text(), /Voice pipeline not initialized/);
      await server.stop();
    });
});
