import assert from 'node:assert/strict';
import type { ServiceUnderTest } from './service.ts';

/** No model but those that talk: what happens in the background must not take what a test scripts. */
export async function unsetBackgroundSlots(service: ServiceUnderTest): Promise<void> {
  const { body } = await service.get<{ slots: { chat: unknown } }>('/api/slots');
  assert.ok(body.slots.chat);
  const slots = { summarization: null, extraction: null, embedding: null };
  assert.equal((await service.put('/api/slots', { slots })).status, 200);
}
