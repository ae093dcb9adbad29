import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fc, it } from '@fast-check/vitest';
import { Pace } from '../../../src/application/maintenance/pace.ts';
import type { Command } from '../../../src/commands/command.ts';
import { eraseEpisode, eraseMemory, expireEpisodes } from '../../../src/commands/memory/forgetting.ts';
import { importConversation } from '../../../src/commands/memory/imports.ts';
import { keepVectors } from '../../../src/commands/memory/keepVectors.ts';
import { type UserMemory, userMemory } from '../../../src/commands/memory/state.ts';
import {
  changeProfile,
  eraseConclusions,
  restoreConclusions,
  stateConclusion,
} from '../../../src/commands/memory/userChanges.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { isHarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { type Remembered, remembered } from '../../../src/projections/memory/remembered.ts';
import { ProjectionRuntime, userViewAt } from '../../../src/projections/runtime.ts';
import { SweepRun } from '../../../src/sagas/maintenance/sweep.ts';
import { Log } from '../../../src/store/log.ts';
import { episode } from '../../commands/memory/sample.ts';
import { usual } from '../../sagas/maintenance/sweeping.ts';
import { NOW } from '../../support/given.ts';
import { SharedStore } from '../../support/sharedStore.ts';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 100);
const ANN = 'ann';
const context = { userId: ANN, correlationId: 'test' };
/** So many that a snapshot is worth it. */
const MANY = 520;

const operation = fc.record({
  kind: fc.constantFrom(
    ...(['talk', 'talk', 'state', 'state', 'correct', 'profile', 'embed', 'sweep', 'restore'] as const),
    ...(['eraseEpisode', 'eraseConclusion', 'expire', 'eraseAll'] as const),
  ),
  index: fc.nat(3),
  /** Which of two processes does it. */
  by: fc.nat(1),
});
const erasing: ReadonlySet<string> = new Set(['eraseEpisode', 'eraseConclusion', 'expire', 'eraseAll']);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

async function processOn(shared: SharedStore, clock: { now: number }) {
  const store = await Log.open(shared.hold().adapter, eventCatalog);
  const runner = new StoreCommandRunner({ store, clock: () => clock.now, newId: randomUUID });
  return { store, runner, views: new ProjectionRuntime(store, []) };
}
type Process = Awaited<ReturnType<typeof processOn>>;

/** Words that nothing else says, so that they can be looked for. */
const wordsOf = (serial: number) => `said${serial}said`;

async function act(
  { store, runner, views }: Process,
  { kind, index }: Operation,
  now: number,
): Promise<void> {
  const { conclusions } = await views.of(remembered, ANN);
  const conclusionId = Object.keys(conclusions)[index] ?? 'nothing';
  const episodeId = `e${index}`;
  const text = `The user ${wordsOf(now - NOW)}`;
  const run = <Input>(command: Command<Input, UserMemory>, input: Input) =>
    runner.run(command, input, context).catch((error: unknown) => {
      if (!isHarkError(error, 'CONCLUSION_UNKNOWN', 'EPISODE_UNKNOWN')) throw error;
    });
  const found = { text, type: 'explicit', confidence: 0.4, about: null, by: 'user', turnIds: ['0'] } as const;
  const by = { provider: 'local-runner', model: 'm' } as const;
  switch (kind) {
    case 'talk': {
      const turns = [{ role: 'user', name: null, text, at: now }] as const;
      const told = episode({ summary: text, importance: index, conversationId: null, expiresAt: now + 5 });
      const input = { episodeId, sessionId: 's', turns, episode: told, findings: [found] };
      return void (await run(importConversation, input));
    }
    case 'state':
      return void (await run(stateConclusion, {
        conclusionId: `k${now}`,
        text: 'The same',
        type: 'explicit',
      }));
    case 'correct': {
      const stated = { conclusionId: `k${now}`, text, type: 'corrected', supersedes: conclusionId } as const;
      return void (await run(stateConclusion, stated));
    }
    case 'profile':
      return void (await run(changeProfile, { profile: { name: text } }));
    case 'embed':
      return void (await run(keepVectors, [
        { episodeId, ...by, ids: [episodeId], dimensions: 1, vectors: 'AACAPw==' },
      ]));
    case 'sweep': {
      const parts = { runner, store, pace: new Pace() };
      const thresholds = { ...usual, staleDays: 0, pruneBelow: 0.3 };
      const sweep = new SweepRun(parts, context, new AbortController().signal);
      return void (await sweep.run({ by: 'request', thresholds }));
    }
    case 'restore':
      return void (await run(restoreConclusions, { conclusionIds: [conclusionId] }));
    case 'eraseEpisode':
      return void (await run(eraseEpisode, { episodeId }));
    case 'eraseConclusion':
      return void (await run(eraseConclusions, { conclusionIds: [conclusionId] }));
    case 'expire':
      return void (await run(expireEpisodes, { now }));
    case 'eraseAll':
      return void (await run(eraseMemory, {}));
  }
}

async function begin(isLong: boolean) {
  const shared = new SharedStore();
  const clock = { now: NOW };
  const processes = [await processOn(shared, clock), await processOn(shared, clock)] as const;
  const profile = { name: wordsOf(0) };
  const events = Array.from({ length: isLong ? MANY : 1 }, () => {
    return { type: 'memory.profile.changed', data: { profile } };
  });
  const who = { ...context, causationId: null };
  const stream = memoryStream(ANN);
  await processes[0].store.append({ stream, events, expected: 'any', at: NOW, ...who });
  return { shared, clock, processes };
}

/** Texts that can be read in what is shown. */
function textsIn(known: Remembered): ReadonlySet<string> {
  return new Set(JSON.stringify(known).match(/said\d+said/g));
}

it.prop([fc.array(operation, { maxLength: 25 }), fc.boolean()], { numRuns })(
  'what is shown of memory is at any time what the events fold to, in every process and from a snapshot, and so is the past',
  async (operations, isLong) => {
    const { shared, clock, processes } = await begin(isLong);
    let lastErasure = NOW;
    const past: { readonly time: number; readonly position: number; readonly shown: Remembered }[] = [];
    for (const one of operations) {
      clock.now++;
      const { store, views } = processes[one.by] ?? processes[0];
      await act(processes[one.by] ?? processes[0], one, clock.now);
      if (erasing.has(one.kind)) lastErasure = clock.now;
      const folded = await userViewAt(store, remembered, ANN, {});
      // Of who did it, at once; of the other, since it has heard of it by then.
      assert.deepEqual(await views.of(remembered, ANN), folded);
      for (const process of processes) assert.deepEqual(await process.views.of(remembered, ANN), folded);
      past.push({ time: clock.now, position: await store.head(), shown: structuredClone(folded) });
    }
    const cold = await processOn(shared, clock);
    const now = await cold.views.of(remembered, ANN);
    assert.deepEqual(now, await processes[0].views.of(remembered, ANN));
    for (const { time, position, shown } of past) {
      const then = await userViewAt(cold.store, remembered, ANN, { time });
      assert.deepEqual(then, await userViewAt(cold.store, remembered, ANN, { position }));
      // Without what has been forgotten since, and nothing but that.
      for (const text of textsIn(then)) assert.ok(textsIn(shown).has(text));
      if (time >= lastErasure) assert.deepEqual(then, shown);
    }
  },
);

it.prop([fc.array(operation, { maxLength: 25 }), fc.boolean()], { numRuns })(
  'what was forgotten is in nothing that is shown, decided on or kept as a snapshot',
  async (operations, isLong) => {
    const { shared, clock, processes } = await begin(isLong);
    for (const one of operations) {
      clock.now++;
      await act(processes[one.by] ?? processes[0], one, clock.now);
    }
    const [{ store, views, runner }] = processes;
    await views.of(remembered, ANN);
    const readable = new Set<string>();
    for await (const events of store.readStream(memoryStream(ANN)))
      for (const { data } of events)
        for (const text of JSON.stringify(data).match(/said\d+said/g) ?? []) readable.add(text);
    for (const process of [...processes, await processOn(shared, clock)])
      for (const text of textsIn(await process.views.of(remembered, ANN))) assert.ok(readable.has(text));
    const key = { owner: ANN, name: `remembered:${memoryStream(ANN)}` };
    const saved = JSON.stringify((await store.loadSnapshot(key, remembered.version))?.state ?? null);
    for (const text of saved.match(/said\d+said/g) ?? []) assert.ok(readable.has(text));
    const decided = JSON.stringify(await runner.read(userMemory, memoryStream(ANN), ANN));
    for (const text of decided.match(/said\d+said/g) ?? []) assert.ok(readable.has(text));
  },
);
