import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fc, it } from '@fast-check/vitest';
import { Pace } from '../../../src/application/maintenance/pace.ts';
import { spokenTypes, wholeEpisodes } from '../../../src/application/memory/documents.ts';
import { exportMemory } from '../../../src/application/memory/exporting.ts';
import { ImportedSpeakers } from '../../../src/application/memory/importedSpeakers.ts';
import { importItems } from '../../../src/application/memory/importing.ts';
import type { Command } from '../../../src/commands/command.ts';
import { changeEntity, mergeEntities, unmergeEntities } from '../../../src/commands/entities/changeEntity.ts';
import { eraseEntity, expireEpisodes, forgetEpisodes } from '../../../src/commands/entities/forgetting.ts';
import { type FoundEntity, recordEntities } from '../../../src/commands/entities/recordEntities.ts';
import { eraseEpisode } from '../../../src/commands/memory/forgetting.ts';
import { importConversation } from '../../../src/commands/memory/imports.ts';
import { settleContradiction } from '../../../src/commands/memory/settling.ts';
import {
  changeProfile,
  eraseConclusions,
  restoreConclusions,
  stateConclusion,
} from '../../../src/commands/memory/userChanges.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { changePreferences } from '../../../src/commands/settings/changePreferences.ts';
import { isHarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import type { UserEntities } from '../../../src/folds/entities/entities.ts';
import { wholeEntities } from '../../../src/folds/entities/whole.ts';
import { itemsOfLine, lineOf } from '../../../src/interfaces/operations/importShapes.ts';
import { knownEntities } from '../../../src/projections/entities/knownEntities.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { SweepRun } from '../../../src/sagas/maintenance/sweep.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { contradictionDecisions } from '../../../src/vocabulary.ts';
import { found, record } from '../../commands/entities/sample.ts';
import { episode } from '../../commands/memory/sample.ts';
import { NOW } from '../../support/given.ts';
import { range } from '../../support/range.ts';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 100);

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
  fc.record({ kind: fc.constantFrom('name', 'relate', 'merge'), index, text, share: fc.nat(1_000) }),
  fc.record({
    kind: fc.constantFrom(
      ...(['restore', 'eraseEpisode', 'eraseConclusion', 'sweep', 'expire'] as const),
      ...(['rename', 'unmerge', 'eraseEntity', 'prefer', 'oppose', 'settle'] as const),
    ),
    index,
    text,
    share: fc.nat(1_000),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const speakers = await ImportedSpeakers.among([]);

async function world() {
  const store = await Log.open(new MemoryAdapter(), eventCatalog);
  const clock = { now: NOW };
  const runner = new StoreCommandRunner({ store, clock: () => clock.now, newId: randomUUID });
  const views = new ProjectionRuntime(store, []);
  const exported = async (userId: string, mostWordBytes?: number) => {
    const lines: string[] = [];
    const parts = { store, runner, views, ...(mostWordBytes === undefined ? {} : { mostWordBytes }) };
    for await (const record of exportMemory(parts, userId)) lines.push(lineOf(record));
    return lines;
  };
  /** What can be found of what was said, as it is read from the whole log. */
  const documents = async (userId: string) => {
    const { episodes } = await views.of(remembered, userId);
    const pages = store.readAll({ after: 0, userId, types: spokenTypes });
    const found: string[] = [];
    for await (const batch of wholeEpisodes(pages, episodes)) found.push(...batch.map(({ text }) => text));
    return found.sort();
  };
  const take = (userId: string, lines: readonly string[]) =>
    importItems(
      {
        runner,
        views,
        understand: () => Promise.reject(new Error('Nothing is to be understood')),
        clock: () => clock.now,
        retentionMs: () => 1_000,
      },
      lines.flatMap((line, number) => [...itemsOfLine(line, number)]),
      { userId, correlationId: 'test', dryRun: false, speakers, signal: new AbortController().signal },
    );
  return { store, runner, views, clock, exported, documents, take };
}

type World = Awaited<ReturnType<typeof world>>;

async function live(
  { store, runner, views, clock }: Pick<World, 'store' | 'runner' | 'views' | 'clock'>,
  userId: string,
  { kind, index, text, share }: Step,
): Promise<void> {
  clock.now += 1;
  const context = { userId, correlationId: 'test' };
  const { conclusions } = await views.of(remembered, userId);
  const conclusionId = Object.keys(conclusions)[index] ?? '';
  const importance = share / 100;
  const told = { summary: text, topic: text, keywords: [text], importance, conversationId: null };
  const finding = {
    text,
    type: 'inferred',
    confidence: share / 1_000,
    by: 'offline',
    value: text,
    negated: share % 2 === 1,
  } as const;
  switch (kind) {
    case 'talk':
      await runner.run(
        importConversation,
        {
          episodeId: `e${index}`,
          sessionId: 's',
          turns: range(0, 1 + (share % 3)).map((turn) => ({
            ...{ role: 'user' as const, name: text, text: turn === 1 ? `${share}` : text, at: clock.now },
          })),
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
      return void (await runner
        .run(restoreConclusions, { conclusionIds: [conclusionId] }, context)
        .catch(() => undefined));
    case 'eraseEpisode':
      await runner.run(eraseEpisode, { episodeId: `e${index}` }, context).catch(() => undefined);
      await runner.run(forgetEpisodes, { episodeIds: [`e${index}`] }, context);
      return;
    case 'sweep':
      await new SweepRun({ runner, store, pace: new Pace() }, context, new AbortController().signal).run({
        by: 'request',
        thresholds,
      });
      return;
    case 'prefer': {
      const preferences = index === 0 ? { language: 'de' } : { storeAudio: index === 1, voice: 'default' };
      return void (await runner.run(changePreferences, { preferences }, context));
    }
    case 'oppose':
    case 'settle': {
      const other = Object.keys(conclusions)[share % 4] ?? '';
      if (other === conclusionId || conclusionId === '') return;
      if (kind === 'oppose') return void (await store.append(opposed(userId, conclusionId, other, share)));
      const { [share % 4]: decision = 'keep' } = contradictionDecisions;
      const input = { conclusionId, contradicts: other, decision } as const;
      return void (await runner.run(settleContradiction, input, context).catch(() => undefined));
    }
    case 'eraseConclusion':
      await runner.run(eraseConclusions, { conclusionIds: [conclusionId] }, context).catch(() => undefined);
      return;
    default:
      await liveNamed({ runner, views, clock }, userId, { kind, index, text, share });
  }
}

/** Found in a conversation, or by a sweep. */
function opposed(userId: string, conclusionId: string, contradicts: string, share: number) {
  const both = { conclusionId, contradicts };
  const evidence = { similarity: share / 1_000, signs: ['negation'], nli: null, judge: null };
  const event =
    share % 2 === 0
      ? { type: 'memory.conclusion.contradicted', data: both }
      : { type: 'memory.contradiction.detected', data: { sweepId: 's', ...both, evidence } };
  const append = { stream: memoryStream(userId), events: [event], expected: 'any', at: NOW + share } as const;
  return { ...append, userId, correlationId: 'test', causationId: null };
}

/** What happens to entities. */
async function liveNamed(
  { runner, views, clock }: Pick<World, 'runner' | 'views' | 'clock'>,
  userId: string,
  { kind, index, text, share }: Step,
): Promise<void> {
  const context = { userId, correlationId: 'test' };
  const known = await views.of(knownEntities, userId);
  const ids = wholeEntities(known).map(({ id }) => id);
  const [one = 'nobody', other = 'nobody'] = [ids[index], ids[share % 5]];
  const run = <Input>(command: Command<Input, UserEntities>, input: Input) =>
    runner.run(command, input, context).catch((error: unknown) => {
      if (!isHarkError(error, 'ENTITY_UNKNOWN', 'BAD_REQUEST')) throw error;
    });
  const gone = (at: number) => `gone-${userId}-${at}`;
  const { episodes } = await views.of(remembered, userId);
  // Of those that are gone by now as well.
  const episodeId = episodes[`e${index}`] && share % 3 ? `e${index}` : gone(clock.now);
  const named = (name: string): FoundEntity => ({ ...found(name), aliases: [text], mentions: share });
  switch (kind) {
    case 'name':
    case 'relate': {
      const to = kind === 'name' ? 'user' : `Z ${text}`;
      const entities = kind === 'name' ? [named(text)] : [named(text), named(to)];
      const relationships = [{ from: text, to, type: 'knows', confidence: share / 1_000 }];
      const { erasures } = known;
      const told = { seenAt: clock.now, conversationId: share % 2 ? 'c1' : null, erasures };
      return void (await run(recordEntities, record(episodeId, { ...told, entities, relationships })));
    }
    case 'rename':
      return void (await run(changeEntity, { entityId: one, name: text, aliases: [text, `${share}`] }));
    case 'merge':
      return void (await run(mergeEntities, { primaryId: one, entityId: other }));
    case 'unmerge': {
      const merged = Object.values(known.entities).find(({ mergedInto }) => mergedInto === one);
      return void (await run(unmergeEntities, { primaryId: one, entityId: merged?.id ?? 'nobody' }));
    }
    case 'eraseEntity':
      return void (await run(eraseEntity, { entityId: one }));
    default:
      await run(expireEpisodes, { episodeIds: [1, 2, 3].map((ago) => gone(clock.now - ago)) });
  }
}

/** So many merges that what they leave is seen. */
const thresholds = {
  ...{ staleDays: 0, decayFactor: 0.9, similarity: 0.1, orphanImportance: 3 },
  ...{ pruneBelow: 0.1, retentionDays: 30 },
};

/** The order of fields means nothing. */
function parsed(lines: readonly string[]): readonly unknown[] {
  return lines.map((line) => JSON.parse(line));
}

/** So small that words are cut within a turn, or between turns, or as it is outside. */
const mostWordBytes = fc.constantFrom(40, 200, undefined);

it.prop([fc.array(step, { maxLength: 25 }), mostWordBytes], { numRuns: numRuns * 2 })(
  'what is exported and taken in by a user who has nothing is the same again',
  async (steps, bytes) => {
    const all = await world();
    for (const one of steps) await live(all, 'ann', one);
    const lines = await all.exported('ann', bytes);
    all.clock.now += 1_000;
    const report = await all.take('ben', lines);
    assert.deepEqual(parsed(await all.exported('ben', bytes)), parsed(lines));
    assert.deepEqual(await all.documents('ben'), await all.documents('ann'));
    assert.deepEqual([report.imported, report.failed], [lines.length, 0]);
    // And so it stays when somebody takes back what a sweep did.
    for (const user of ['ann', 'ben']) {
      const { conclusions } = await all.views.of(remembered, user);
      for (const conclusionId of Object.keys(conclusions))
        await all.runner
          .run(restoreConclusions, { conclusionIds: [conclusionId] }, { userId: user, correlationId: 'test' })
          .catch(() => undefined);
    }
    assert.deepEqual(parsed(await all.exported('ben')), parsed(await all.exported('ann')));
  },
);

const cuts = fc.array(fc.nat(100), { maxLength: 3 });
const atOnce = fc.integer({ min: 1, max: 7 });

it.prop([fc.array(step, { maxLength: 12 }), mostWordBytes, cuts, atOnce], { numRuns })(
  'what was cut off, wherever that was, is whole once it is taken in again',
  async (steps, bytes, ends, atOnce) => {
    const all = await world();
    for (const one of steps) await live(all, 'ann', one);
    const lines = await all.exported('ann', bytes);
    for (const end of [...ends.map((share) => Math.floor((share * lines.length) / 100)), lines.length])
      for (let at = 0; at < end; at += atOnce)
        assert.equal((await all.take('ben', lines.slice(at, Math.min(end, at + atOnce)))).failed, 0);
    const words = (of: readonly string[]) => of.filter((line) => line.startsWith('{"kind":"episode"'));
    assert.deepEqual(parsed(words(await all.exported('ben', bytes))), parsed(words(lines)));
    assert.deepEqual(await all.documents('ben'), await all.documents('ann'));
  },
);

it.prop([fc.array(step, { maxLength: 12 }), mostWordBytes], { numRuns })(
  'what two take in at once is taken in once, by the one or the other',
  async (steps, bytes) => {
    const all = await world();
    for (const one of steps) await live(all, 'ann', one);
    const lines = (await all.exported('ann', bytes)).filter((line) => line.startsWith('{"kind":"episode"'));
    const [one, other] = await Promise.all([all.take('ben', lines), all.take('ben', lines)]);
    assert.deepEqual([one.failed, other.failed], [0, 0]);
    assert.equal(one.imported + other.imported, lines.length);
    assert.deepEqual(await all.documents('ben'), await all.documents('ann'));
  },
);

/** Of entities, more may be known now. */
function isStillTold(line: string, lines: readonly string[]): boolean {
  if (lines.includes(line)) return true;
  const before = partsOf(line);
  return lines.some((other) => {
    const now = partsOf(other);
    const isMore = now.gained.size > before.gained.size;
    return isMore && isDeepStrictEqual(before.own, now.own) && before.gained.isSubsetOf(now.gained);
  });
}

/** Apart from the rest, what a record may have more of later: a contradiction of what is believed here may come along. */
function partsOf(line: string): { readonly own: unknown; readonly gained: ReadonlySet<string> } {
  const { mentions = [], evidence = [], ...rest } = JSON.parse(line);
  if (rest.kind === 'contradiction') return { own: { ...rest, evidence }, gained: new Set() };
  const { contradicts = [], updatedAt: _, ...own } = rest;
  const gained = [...mentions, ...evidence, ...contradicts].map((one) => JSON.stringify(one));
  return { own, gained: new Set(gained) };
}

const either = fc.array(step, { maxLength: 12 });

it.prop([either, either, mostWordBytes], { numRuns })(
  'what is taken in twice adds nothing, and what it meets there stays',
  async (here, there, bytes) => {
    const all = await world();
    for (const one of here) await live(all, 'ann', one);
    for (const one of there) await live(all, 'ben', one);
    const own = await all.exported('ben');
    const lines = await all.exported('ann', bytes);
    await all.take('ben', lines);
    const together = await all.exported('ben');
    const kept = own.filter((line) => !/^{"kind":"pr(?:ofile|eferences)"/.test(line));
    for (const line of kept) assert.ok(isStillTold(line, together), line);
    const again = await all.take('ben', lines);
    assert.equal(again.imported, 0);
    assert.deepEqual(await all.exported('ben'), together);
  },
);

it('what is no contradiction there is none here either, also where the same is believed already', async () => {
  const all = await world();
  const context = (userId: string) => ({ userId, correlationId: 'test' });
  const state = async (userId: string, text: string) => {
    const conclusionId = randomUUID();
    await all.runner.run(stateConclusion, { conclusionId, text, type: 'explicit' }, context(userId));
    return conclusionId;
  };
  const [tea, coffee] = [await state('ann', 'Likes tea'), await state('ann', 'Likes coffee')];
  await all.store.append(opposed('ann', tea, coffee, 1));
  const none = { conclusionId: tea, contradicts: coffee, decision: 'no-contradiction' } as const;
  await all.runner.run(settleContradiction, none, context('ann'));
  const lines = await all.exported('ann');
  const own = await state('ben', 'Likes coffee');
  const report = await all.take('ben', lines);
  assert.deepEqual([report.imported, report.skipped, report.failed], [2, 1, 0]);
  assert.equal(report.preview.at(-1)?.text, 'Likes tea / Likes coffee');
  // A sweep that finds the pair all the same changes nothing.
  await all.store.append(opposed('ben', tea, own, 1));
  const { conclusions, contradictions } = await all.views.of(remembered, 'ben');
  assert.deepEqual(
    Object.values(conclusions).map(({ contradicts }) => contradicts),
    [[], []],
  );
  assert.deepEqual(
    Object.values(contradictions).map(({ settled }) => settled?.as),
    ['no-contradiction'],
  );
  assert.equal((await all.take('ben', lines)).imported, 0);
  // What was known by links alone is made good by the rest of the export.
  const { length } = lines;
  await all.take('dora', lines.slice(0, length - 1));
  await all.take('dora', lines.slice(length - 1));
  assert.deepEqual(parsed(await all.exported('dora')), parsed(lines));
  // Of two that are not there nothing is told.
  const last = lines.filter((line) => line.includes('"kind":"contradiction"'));
  const alone = await all.take('cleo', last);
  assert.deepEqual([alone.imported, alone.skipped, alone.issues.length], [0, 1, 1]);
});
