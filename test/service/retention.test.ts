import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { temporaryFolder } from '../support/dataDirectory.ts';
import { providersAt } from '../support/models/environment.ts';
import { says } from '../support/models/script.ts';
import { ScriptedModels } from '../support/models/scriptedModels.ts';
import { unsetBackgroundSlots } from '../support/quietSlots.ts';
import { InProcessService } from '../support/service.ts';
import { ChatClient, LIMITS } from './chatClient.ts';

const DAY = 24 * 60 * 60_000;

describe('an episode whose time is over', () => {
  const directory = temporaryFolder('retention');
  let models: ScriptedModels;
  let service: InProcessService;
  let chat: ChatClient;
  before(async () => {
    models = await ScriptedModels.start();
    const store = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: directory };
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models), ...store });
    chat = new ChatClient(service);
    await unsetBackgroundSlots(service);
  });
  afterEach(() => models.reset());
  after(async () => {
    await service.stop();
    await models.stop();
  });

  // A name of a user may be one that every object knows.
  for (const user of ['ann', '__proto__', 'constructor'])
    test(`is forgotten, with its words, for the user ${user}`, async () => {
      const as = { 'x-user-id': user };
      const city = `Zandvoort-${user.length}`;
      models.script(says('How nice'));
      await chat.say({ text: `I hiked from ${city} to Bloemendaal in May.`, sessionId: 'hike' }, as);
      const kept = await chat.topic('memory.episode.created', as);
      await chat.end('hike', as);
      await kept(() => true);
      const told = async () => (await service.get('/api/events?limit=1000', as)).text;
      assert.ok((await told()).includes(city));
      const expired = await chat.topic('memory.episodes.expired', as);
      await service.advance(31 * DAY);
      await expired(() => true);
      const { body } = await service.get('/api/memory/episodes', as);
      assert.deepEqual(body.episodes, []);
      assert.equal((await told()).includes(city), false);
    });
});
