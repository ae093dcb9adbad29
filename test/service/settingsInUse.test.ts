import assert from 'node:assert/strict';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { calls, says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../support/models/environment.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { InProcessService } from '../support/service.ts';
import { ChatClient, LIMITS } from './chatClient.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('a setting that is changed while the service runs', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  let chat: ChatClient;
  beforeAll(async () => {
    models = await ScriptedModels.start();
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models) });
    chat = new ChatClient(service);
    await unsetBackgroundSlots(service);
  });
  afterEach(() => models.reset());
  afterAll(async () => {
    await service.stop();
    await models.stop();
  });

  test('counts for the steps of the next turn', async () => {
    models.script(() => says(calls('system.health')));
    await service.put('/api/settings', { agentMaxSteps: 2 });
    assert.equal((await chat.say({ text: 'How are you?' })).status, 500);
    assert.equal(models.chats.length, 2);
  });

  test('counts for sessions that go on already', async () => {
    models.script(() => says('Hello'));
    await chat.say({ text: 'Hi', sessionId: 'short' });
    await service.put('/api/settings', { sessionIdleMinutes: 2 });
    const endings = await chat.topic('sessionEnded');
    await service.advance(3 * MINUTE);
    assert.equal(Object(await endings(() => true)).reason, 'idle');
  });

  test('counts for what is remembered from now on', async () => {
    await service.put('/api/settings', { memoryRetentionDays: 3 });
    const sessions = [{ id: 'trip', messages: [{ role: 'user', content: 'I moved to Oslo in March.' }] }];
    await service.ask('POST', '/api/memory/import', {
      body: { source: 'conversation', content: { sessions } },
    });
    models.script(() => says('Noted'));
    const remembered = await chat.topic('memory.episode.created');
    await chat.say({ text: 'Actually, I prefer tea to coffee.', sessionId: 'tea' });
    await remembered((data) => Object(data).type !== 'conversation');
    const ended = await chat.topic('memory.conversation.consolidated');
    await chat.end('tea');
    await ended((data) => Object(data).sessionId === 'tea');
    const { body } = await service.get<{
      episodes: { type: string; createdAt: number; expiresAt: number }[];
    }>('/api/memory/episodes');
    assert.deepEqual(
      body.episodes.map(({ expiresAt, createdAt }) => (expiresAt - createdAt) / DAY),
      [3, 3, 3],
    );
  });
});
