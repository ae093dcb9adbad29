import assert from 'node:assert/strict';
import { EventReader, type ServiceUnderTest } from './service.ts';

/** No model but those that talk: what happens in the background must not take what a test scripts. */
export async function unsetBackgroundSlots(service: ServiceUnderTest): Promise<void> {
  // The service sets its first slots in its own time, which on a busy machine is longer than a request waits.
  const first = await EventReader.open(
    `${service.url}/api/events/stream?topics=provider.slots.changed&after=0`,
  );
  // A guess is chosen again as soon as there is a catalog.
  for (let message = await first.next(); ; message = await first.next()) {
    assert.ok(message);
    if (message.data && JSON.parse(message.data).data.cause !== 'guessed') break;
  }
  first.close();
  const slots = { consolidation: null, summarization: null, extraction: null, embedding: null };
  assert.equal((await service.put('/api/slots', { slots })).status, 200);
}
