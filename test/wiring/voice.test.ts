import assert from 'node:assert/strict';
import { it } from 'vitest';
import { OpenVoiceSessions } from '../../src/application/voice/openSessions.ts';
import { HarkError } from '../../src/errors.ts';
import { VoiceStatistics } from '../../src/voiceStatistics.ts';
import { Topics } from '../../src/wiring/topics.ts';
import { Voice } from '../../src/wiring/voice.ts';
import { ChatProcess } from '../application/chat/process.ts';
import { SharedStore } from '../support/sharedStore.ts';

class TopicsOfNobody extends Topics {
  isBroken = true;

  override on: Topics['on'] = (...args) => {
    if (this.isBroken) throw new Error('Not now');
    return super.on(...args);
  };
}

it('voice that could not be opened is opened with the next who speaks', async () => {
  const { turns } = await ChatProcess.start(new SharedStore().hold(), { speech: async function* () {} });
  const clock = () => 0;
  const topics = new TopicsOfNobody(() => undefined);
  const voice = new Voice({
    topics,
    clock,
    config: { SERVICE_DATA_DIR: 'nowhere' },
    settings: { number: () => 1, value: () => false },
    voiceStatistics: new VoiceStatistics(clock),
    voiceSessions: new OpenVoiceSessions(clock),
    speech: {
      ears: {
        isAvailable: async () => false,
        begin: () => {
          throw new HarkError('STT_UNAVAILABLE');
        },
      },
      mouth: { isAvailable: async () => false, speak: async function* () {} },
      status: async () => ({ stt: null, tts: null, wake: null }),
      prepare: async () => undefined,
    },
    chat: {
      turns,
      isOpen: () => false,
      endSession: async () => undefined,
      note: async () => undefined,
      prepareTurn: async () => undefined,
      keepAudioKey: async () => undefined,
    },
    kvstore: { current: undefined },
    onFailure: () => undefined,
  });
  await assert.rejects(voice.rooms(), /Not now/);
  await voice.stop();
  topics.isBroken = false;
  assert.equal(await voice.leaveOff('ann', 'session'), false);
  assert.equal(await voice.rooms(), await voice.rooms());
  await voice.stop();
});
