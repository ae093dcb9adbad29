import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { providersAt } from '../support/models/environment.ts';
import { says } from '../support/models/script.ts';
import { ScriptedModels } from '../support/models/scriptedModels.ts';
import { EventReader, InProcessService } from '../support/service.ts';

const LIMITS = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' };

interface Reply {
  readonly text: string;
  readonly sessionId?: string;
  readonly platform: string;
  readonly metadata: Record<string, unknown>;
}

interface History {
  readonly sessionExpired: boolean;
  readonly messages: readonly { role: string; content: string; timestamp: number }[];
  readonly count: number;
}

describe('chat', () => {
  let models: ScriptedModels;
  let service: InProcessService;
  before(async () => {
    models = await ScriptedModels.start();
    service = await InProcessService.start({ ...LIMITS, ...providersAt(models) });
  });
  afterEach(() => models.reset());
  after(async () => {
    await service.stop();
    await models.stop();
  });

  const say = (body: unknown) => service.ask<Reply>('POST', '/api/chat', { body });
  const history = async (id: string) => (await service.get<History>(`/api/chat/history/${id}`)).body;

  test('answers with the words of the model', async () => {
    models.script(says('Good ', 'evening.'));
    const { status, body } = await say({ text: 'Good evening' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.text, 'Good evening.');
  });
});
