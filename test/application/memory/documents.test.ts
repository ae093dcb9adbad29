import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'vitest';
import {
  beginningTypes,
  documentsOf,
  documentsSince,
  spokenTypes,
  wholeEpisodes,
} from '../../../src/application/memory/documents.ts';
import { importConversation } from '../../../src/commands/memory/imports.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { isEvent } from '../../../src/events/definition.ts';
import { episodeCreated } from '../../../src/events/episodes.ts';
import type { IndexDocument } from '../../../src/projections/memory/index/documents.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { EventBatch } from '../../../src/store/port.ts';
import { episode } from '../../commands/memory/sample.ts';
import { NOW } from '../../support/given.ts';

it('documents come in the order of their episode, summaries first where they may be apart', async () => {
  const store = await Log.open(new MemoryAdapter(), eventCatalog);
  const runner = new StoreCommandRunner({ store, clock: () => NOW, newId: randomUUID });
  for (const name of ['a', 'b']) {
    const turns = ['one', 'two'].map((text) => ({ role: 'user' as const, name: null, text, at: NOW }));
    const told = episode({ summary: `What ${name} was about`, conversationId: null });
    const imported = { episodeId: name, sessionId: name, turns, episode: told, findings: [] };
    await runner.run(importConversation, imported, { userId: 'ann', correlationId: 'test' });
  }
  const { episodes } = await new ProjectionRuntime(store, []).of(remembered, 'ann');
  const idsOf = async (read: (pages: AsyncIterable<EventBatch>) => ReturnType<typeof documentsOf>) => {
    const pages = store.readAll({ after: 0, userId: 'ann', types: spokenTypes });
    const documents: IndexDocument[] = [];
    for await (const batch of read(pages)) documents.push(...batch);
    return documents.map(({ id, text }) => `${id} ${text}`);
  };
  const [a, b] = ['a', 'b'].map((name) => [
    `${name} What ${name} was about`,
    `${name}#0 one`,
    `${name}#1 two`,
  ]);
  assert(a && b);
  assert.deepEqual(await idsOf((pages) => wholeEpisodes(pages, episodes)), [...a, ...b]);
  assert.deepEqual(await idsOf((pages) => documentsOf(pages, Promise.resolve(episodes))), [
    a[0],
    b[0],
    ...a.slice(1),
    ...b.slice(1),
  ]);
  const since = async (after: number) => {
    const pages = store.readAll({ after, userId: 'ann', types: beginningTypes });
    const documents: IndexDocument[] = [];
    for await (const some of documentsSince(pages, store)) documents.push(...some);
    return documents.map(({ id, text }) => `${id} ${text}`);
  };
  assert.deepEqual(await since(0), [...a, ...b]);
  const [firstOfB] = await created(store, 'b');
  assert.deepEqual(await since((firstOfB ?? 0) - 2), b);
});

async function created(store: Log, episodeId: string): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const { events } of store.readAll({ after: 0, userId: 'ann' }))
    for (const event of events)
      if (isEvent(event, episodeCreated) && event.data.episodeId === episodeId) found.push(event.position);
  return found;
}
