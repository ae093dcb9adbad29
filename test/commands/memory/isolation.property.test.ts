import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fc, it } from '@fast-check/vitest';
import { documentsOf, spokenTypes } from '../../../src/application/memory/documents.ts';
import { eraseEpisode, eraseMemory } from '../../../src/commands/memory/forgetting.ts';
import { importConversation } from '../../../src/commands/memory/imports.ts';
import { userMemory } from '../../../src/commands/memory/state.ts';
import { changeProfile, stateConclusion } from '../../../src/commands/memory/userChanges.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { NOW } from '../../support/given.ts';
import { episode } from './sample.ts';

const users = ['ann', 'ben'] as const;
const user = fc.constantFrom(...users);
/** Both users call their things by the same few names. */
const id = fc.constantFrom('a', 'b', 'c');
const operation = fc.oneof(
  fc.record({ kind: fc.constant('import'), user, id }),
  fc.record({ kind: fc.constant('state'), user, id }),
  fc.record({ kind: fc.constant('profile'), user, id }),
  fc.record({ kind: fc.constant('eraseEpisode'), user, id }),
  fc.record({ kind: fc.constant('eraseAll'), user, id }),
);

it.prop([fc.array(operation, { maxLength: 30 })], { numRuns: 200 })(
  'what one user does is nothing to another, whatever both do',
  async (operations) => {
    const store = await Log.open(new MemoryAdapter(), eventCatalog);
    const runner = new StoreCommandRunner({ store, clock: () => NOW, newId: randomUUID });
    const views = new ProjectionRuntime(store, []);
    let serial = 0;
    for (const { kind, user: userId, id: name } of operations) {
      const context = { userId, correlationId: 'test' };
      const text = `${userId} says ${++serial}`;
      if (kind === 'import')
        await runner.run(
          importConversation,
          {
            episodeId: name,
            sessionId: name,
            turns: [{ role: 'user', name: null, text, at: NOW }],
            episode: episode({ summary: text, conversationId: null }),
            findings: [],
          },
          context,
        );
      if (kind === 'state')
        await runner.run(stateConclusion, { conclusionId: `${serial}`, text, type: 'explicit' }, context);
      if (kind === 'profile') await runner.run(changeProfile, { profile: { name: text } }, context);
      if (kind === 'eraseEpisode')
        await runner.run(eraseEpisode, { episodeId: name }, context).catch(() => undefined);
      if (kind === 'eraseAll') await runner.run(eraseMemory, {}, context);
    }
    for (const userId of users) {
      const other = userId === 'ann' ? 'ben' : 'ann';
      const memory = await views.of(remembered, userId);
      const decided = await runner.read(userMemory, memoryStream(userId), userId);
      const seen: unknown[] = [memory, decided];
      const pages = store.readAll({ after: 0, userId, types: spokenTypes });
      for await (const documents of documentsOf(pages, Promise.resolve(memory.episodes)))
        seen.push(documents);
      assert.doesNotMatch(JSON.stringify(seen), new RegExp(`${other} says`));
      // What was erased by a user is gone for them as well, and what was not is still there.
      const fresh = new StoreCommandRunner({ store, clock: () => NOW, newId: randomUUID });
      assert.deepEqual(await new ProjectionRuntime(store, []).of(remembered, userId), seen[0]);
      assert.deepEqual(await fresh.read(userMemory, memoryStream(userId), userId), seen[1]);
    }
  },
);
