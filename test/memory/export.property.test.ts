import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import fc from 'fast-check';
import { changeProfile } from '../../src/commands/memory/changeProfile.ts';
import { eraseConclusion } from '../../src/commands/memory/eraseConclusion.ts';
import { eraseEpisode } from '../../src/commands/memory/eraseEpisode.ts';
import { importConversation } from '../../src/commands/memory/importConversation.ts';
import { restoreConclusion } from '../../src/commands/memory/restoreConclusion.ts';
import { memoryStream, userMemory } from '../../src/commands/memory/state.ts';
import { stateConclusion } from '../../src/commands/memory/stateConclusion.ts';
import { StoreCommandRunner } from '../../src/commands/runner.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import { itemsOfLine, lineOf } from '../../src/interfaces/operations/importShapes.ts';
import { exportMemory } from '../../src/sagas/memory/exporting.ts';
import { importItems } from '../../src/sagas/memory/importing.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { NOW } from '../support/given.ts';
import { episode } from './sample.ts';

/** Few enough that the same comes up again. */
const index = fc.nat(3);
/** Texts as they come, with what JSON and lines have to spell out. */
const text = fc.oneof(
  fc.constantFrom('I sing', 'I  sing!', 'Ich höre "zu"\n', ' \\u0000 '),
  fc.string({ unit: 'grapheme', minLength: 1 }),
);
const step = fc.oneof(
  fc.record({ kind: fc.constant('talk'), index, text, share: fc.nat(1_000) }),
  fc.record({ kind: fc.constant('state'), index, text, share: fc.nat(1_000) }),
  fc.record({ kind: fc.constant('correct'), index, text, share: fc.nat(1_000) }),
  fc.record({ kind: fc.constant('profile'), index, text, share: fc.nat(1_000) }),
  fc.record({
    kind: fc.constantFrom('restore', 'eraseEpisode', 'eraseConclusion'),
    index,
    text,
    share: fc.nat(1_000),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function world() {
  const store = await Log.open(new MemoryAdapter(), eventCatalog);
  const clock = { now: NOW };
  const runner = new StoreCommandRunner({ store, clock: () => clock.now, newId: randomUUID });
  const exported = async (userId: string) => {
    const lines: string[] = [];
    for await (const record of exportMemory({ store, runner }, userId)) lines.push(lineOf(record));
    return lines;
  };
  const take = (userId: string, lines: readonly string[]) =>
    importItems(
      {
        runner,
        understand: () => Promise.reject(new Error('Nothing is to be understood')),
        clock: () => clock.now,
        retentionMs: () => 1_000,
      },
      lines.flatMap((line, number) => [...itemsOfLine(line, number)]),
      { userId, correlationId: 'test', dryRun: false, signal: new AbortController().signal },
    );
  return { runner, clock, exported, take };
}

async function live(
  { runner, clock }: Awaited<ReturnType<typeof world>>,
  userId: string,
  { kind, index, text, share }: Step,
): Promise<void> {
  clock.now += 1;
  const context = { userId, correlationId: 'test' };
  const { conclusions } = await runner.read(userMemory, memoryStream(userId), userId);
  const conclusionId = Object.keys(conclusions)[index] ?? '';
  const importance = share / 100;
  const told = { summary: text, topic: text, keywords: [text], importance, conversationId: null };
  const finding = { text, type: 'inferred', confidence: share / 1_000, by: 'offline' } as const;
  switch (kind) {
    case 'talk':
      await runner.run(
        importConversation,
        {
          episodeId: `e${index}`,
          sessionId: 's',
          turns: [{ role: 'user', name: text, text, at: clock.now }],
          episode: episode({ ...told, happenedAt: clock.now, expiresAt: NOW + 1e9 }),
          findings: [{ ...finding, about: index === 0 ? 'home.city' : null, turnIds: ['t1'] }],
        },
        context,
      );
      return;
    case 'state':
    case 'correct': {
      const supersedes = kind === 'correct' ? conclusionId : undefined;
      const input = { conclusionId: randomUUID(), text, type: 'explicit', supersedes } as const;
      await runner.run(stateConclusion, input, context).catch(() => undefined);
      return;
    }
    case 'profile':
      await runner.run(
        changeProfile,
        { profile: index === 0 ? { name: text } : { preferences: { a: text, b: 'c' } } },
        context,
      );
      return;
    case 'restore':
      return void (await runner.run(restoreConclusion, { conclusionId }, context).catch(() => undefined));
    case 'eraseEpisode':
      await runner.run(eraseEpisode, { episodeId: `e${index}` }, context).catch(() => undefined);
      return;
    default:
      await runner.run(eraseConclusion, { conclusionId }, context).catch(() => undefined);
  }
}

/** The order of fields means nothing. */
function parsed(lines: readonly string[]): readonly unknown[] {
  return lines.map((line) => JSON.parse(line));
}

it('what is exported and taken in by a user who has nothing is the same again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const all = await world();
      for (const one of steps) await live(all, 'ann', one);
      const lines = await all.exported('ann');
      all.clock.now += 1_000;
      const report = await all.take('ben', lines);
      assert.deepEqual(parsed(await all.exported('ben')), parsed(lines));
      assert.deepEqual([report.imported, report.failed], [lines.length, 0]);
    }),
    { numRuns: 200 },
  );
});

it('what is taken in twice adds nothing, and what it meets there stays', async () => {
  const either = fc.array(step, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(either, either, async (here, there) => {
      const all = await world();
      for (const one of here) await live(all, 'ann', one);
      for (const one of there) await live(all, 'ben', one);
      const own = await all.exported('ben');
      const lines = await all.exported('ann');
      await all.take('ben', lines);
      const together = await all.exported('ben');
      const kept = own.filter((line) => !line.startsWith('{"kind":"profile"'));
      for (const line of kept) assert.ok(together.includes(line), line);
      const again = await all.take('ben', lines);
      assert.equal(again.imported, 0);
      assert.deepEqual(await all.exported('ben'), together);
    }),
    { numRuns: 100 },
  );
});
