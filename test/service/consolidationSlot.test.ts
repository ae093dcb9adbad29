import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { says, saysJson } from '../../src/demo/model/script.ts';
import { modelledService } from '../support/modelledService.ts';
import { EventReader } from '../support/service.ts';

const DRAWN = 'The user keeps bees on the roof.';
const facts = {
  reasoning: 'turn 1',
  facts: [{ text: DRAWN, type: 'inferred', confidence: 0.7, turns: [1] }],
};
const LEGACY = { SERVICE_CONSOLIDATION_PROVIDER: 'cloud-b', SERVICE_CONSOLIDATION_MODEL: 'gpt-5-mini' };

/** Has a session end in which something was said, and shows what was concluded and which models were asked. */
async function consolidated(set: ReturnType<typeof modelledService>, user: string) {
  const headers = { 'x-user-id': user };
  const before = set.models.requests.length;
  const topics = '/api/events/stream?topics=memory.conversation.consolidated&after=0';
  const reader = await EventReader.open(set.service.url + topics, headers);
  set.models.script(({ body = null }) =>
    JSON.stringify(body).includes('List what the user says') ? saysJson(facts) : says('How nice.'),
  );
  const body = { text: 'I spent the whole morning with my bees on the roof.', sessionId: 'bees' };
  assert.equal((await set.service.ask('POST', '/api/chat', { headers, body })).status, 200);
  await set.service.ask('DELETE', '/api/chat/sessions/bees', { headers });
  while (!(await reader.next())?.data?.includes('bees'));
  reader.close();
  const { body: told } = await set.service.get<{ conclusions: { text: string }[] }>(
    '/api/memory/conclusions',
    headers,
  );
  const asked = set.models.requests
    .slice(before)
    .flatMap(({ body = null }) =>
      JSON.stringify(body).includes('List what the user says') ? [Reflect.get(Object(body), 'model')] : [],
    );
  return { texts: told.conclusions.map(({ text }) => text), asked };
}

describe('conclusions are drawn', () => {
  const set = modelledService();

  test('with no model where none is set for it', async () => {
    assert.deepEqual((await consolidated(set, 'ann')).asked, []);
  });

  test('by the model of the slot consolidation', async () => {
    const slots = { consolidation: { provider: 'cloud-b', model: 'gpt-5-nano' } };
    assert.equal((await set.service.put('/api/slots', { slots })).status, 200);
    const { texts, asked } = await consolidated(set, 'ben');
    assert.deepEqual(asked, ['gpt-5-nano']);
    assert.ok(texts.includes(DRAWN), texts.join(' '));
  });
});

describe('with the older variables, conclusions are drawn', () => {
  const set = modelledService(LEGACY);

  test('by the model that they name, while the slot is not set', async () => {
    const { texts, asked } = await consolidated(set, 'ann');
    assert.deepEqual(asked, ['gpt-5-mini']);
    assert.ok(texts.includes(DRAWN), texts.join(' '));
    const slots = { consolidation: { provider: 'cloud-b', model: 'gpt-5-nano' } };
    assert.equal((await set.service.put('/api/slots', { slots })).status, 200);
    assert.deepEqual((await consolidated(set, 'ben')).asked, ['gpt-5-nano']);
  });
});
