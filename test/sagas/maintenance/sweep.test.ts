import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { Pace } from '../../../src/application/maintenance/pace.ts';
import type { ContradictionFinder } from '../../../src/application/maintenance/ports.ts';
import { mentionsAsOf } from '../../../src/commands/memory/sweep/steps.ts';
import { failSweep } from '../../../src/commands/memory/sweep/sweep.ts';
import { NO_PIPELINE } from '../../../src/commands/memory/upkeep.ts';
import { HarkError } from '../../../src/errors.ts';
import type { CompletedSweep } from '../../../src/events/maintenance.ts';
import { range } from '../../support/range.ts';
import { byNumber, Swept, USER } from './sweeping.ts';
import { drawn, episode, oneForEachStep, sweep } from './watchedSweep.ts';

describe('a sweep of a memory', () => {
  test('in which nothing is to be changed begins, looks for contradictions and ends', async () => {
    const { report, ran } = await sweep(await Swept.of([drawn('c1')]));
    assert.deepEqual(
      ran.map(({ name }) => name),
      ['startSweep', 'noteContradictions', 'endSweep'],
    );
    const { stale, decayed, redundant, orphans, pruned, contradictions } = report.summary;
    assert.deepEqual([stale, decayed, redundant, orphans, pruned, contradictions], [0, 0, 0, 0, 0, 0]);
  });

  test('takes each of its steps in their order', async () => {
    const swept = await Swept.of(oneForEachStep);
    const { report, ran } = await sweep(swept);
    assert.deepEqual(
      ran.map(({ name, input }) => input.step ?? name),
      [
        'startSweep',
        'stale',
        'decay',
        'mergeRedundant',
        'orphans',
        'noteContradictions',
        'prune',
        'endSweep',
      ],
    );
    const { stale, decayed, redundant, orphans, pruned } = report.summary;
    assert.deepEqual([stale, decayed, redundant, orphans, pruned], [1, 1, 1, 1, 1]);
    const { conclusions } = await swept.remembered();
    assert.deepEqual(
      Object.values(conclusions).map(({ id, status }) => [id, status]),
      [
        ['old', 'active'],
        ['weak', 'pruned'],
        ['one', 'active'],
        ['same', 'merged'],
      ],
    );
  });

  test('says for how long it took, which is no longer than it was waited for', async () => {
    const startedAt = performance.now();
    const { report } = await sweep(await Swept.of([]));
    assert.ok(report.durationMs <= Math.ceil(performance.now() - startedAt));
  });

  test('notes what contradicts what, and how that was found, in its report', async () => {
    const swept = await Swept.of([drawn('c2'), drawn('c3'), drawn('c4')]);
    const { report } = await sweep(swept, { contradictions: byNumber });
    assert.equal(report.summary.contradictions, 1);
    assert.equal(report.summary.contradictionPipeline.llmConfirmed, 2);
    assert.deepEqual((await swept.memory()).conclusions.c2?.contradicts, ['c3']);
  });

  test('looks for contradictions among what is believed, and nowhere else', async () => {
    const swept = await Swept.of([drawn('c1'), drawn('weak', { confidence: 0.1 }), drawn('c2')]);
    const seen: string[][] = [];
    const contradictions: ContradictionFinder = {
      async find({ conclusions, userId, correlationId }) {
        assert.deepEqual([userId, correlationId], [USER, 'test']);
        seen.push(conclusions.map(({ id }) => id));
        return { confirmed: [], pipeline: NO_PIPELINE };
      },
    };
    await sweep(swept, { contradictions });
    await sweep(swept, { contradictions });
    assert.deepEqual(seen, [
      ['c1', 'weak', 'c2'],
      ['c1', 'c2'],
    ]);
  });

  test('that was asked for twice with the same id is one, also when another was made since', async () => {
    const swept = await Swept.of([]);
    const first = await sweep(swept, { commandId: 'asked' });
    const other = await sweep(swept);
    const again = await sweep(swept, { commandId: 'asked' });
    assert.notEqual(other.report.sweepId, first.report.sweepId);
    assert.deepEqual(again.report, first.report);
    assert.deepEqual(
      again.ran.map(({ name }) => name),
      ['startSweep'],
    );
  });

  test('changes so many at once that none of them holds up others for long, and none twice', async () => {
    const texts = range(1, 200).map((n) => `The user keeps a boat with the name ${n} in the harbour of Kiel`);
    const twice = texts.flatMap((text, n) => [drawn(`a${n}`, { text }), drawn(`b${n}`, { text })]);
    const { report, ran } = await sweep(await Swept.of(twice));
    const parts = ran.flatMap(({ name, input }) => (name === 'mergeRedundant' ? [input.merges] : []));
    const merged = parts.flatMap((merges) => {
      assert.ok(Array.isArray(merges) && merges.length > 0 && merges.length <= 75);
      return merges.map(({ conclusionId }) => conclusionId);
    });
    assert.equal(new Set(merged).size, merged.length);
    assert.equal(merged.length, report.summary.redundant);
    assert.ok(parts.length > 1);
  });

  test('knows what is mentioned as of each part of the orphans, and asks about nothing else', async () => {
    const swept = await Swept.of([
      ...range(1, 200).map((n) => episode(`e${n}`)),
      drawn('c1', { sources: ['e1'] }),
    ]);
    let mentioned = ['e1'];
    const { report } = await sweep(swept, {
      async before(name, { mentions, ids }) {
        if (name !== 'takeStep') return;
        assert.deepEqual(mentions, {
          asOf: mentionsAsOf(await swept.memory()),
          episodes: new Set(mentioned),
        });
        assert.ok(Array.isArray(ids) && ids.length <= 75 && !ids.includes('e1'));
        if (mentioned.length === 1) await swept.append([drawn('c2', { sources: ['e190'] })]);
        mentioned = ['e1', 'e190'];
      },
    });
    assert.equal(report.summary.orphans, 197);
  });

  test('rests after each thing that it looks at while somebody chats', async () => {
    const log: string[] = [];
    let ms = 0;
    const rest = async () => log.push('rest');
    const pace = new Pace({ isChatting: () => true, now: () => ms++ * 2, rest });
    const ids = range(1, 10);
    await sweep(await Swept.of([...ids.map((n) => episode(`e${n}`)), ...ids.map((n) => drawn(`c${n}`))]), {
      pace,
      before: (name) => log.push(name),
    });
    const rests = log
      .join(' ')
      .split(/startSweep|takeStep|noteContradictions|endSweep/)
      .map((between) => between.match(/rest/g)?.length ?? 0);
    // For each conclusion: stale, decayed, mergeable, mentioning, contradicting; and for each episode.
    const looking = 6 * 9;
    // After each command, and for each conclusion: to be pruned, and counted.
    assert.deepEqual(rests.slice(1), [looking, 1, 1 + 2 * 9, 1]);
  });

  test('rests not at all where it has time', async () => {
    const rest = () => assert.fail('nobody waits for it');
    const pace = new Pace({ isChatting: () => true, now: () => 0, rest });
    const swept = await Swept.of([episode('e1'), drawn('c1'), drawn('c2', { ageDays: 400 })]);
    assert.equal((await sweep(swept, { pace, contradictions: byNumber })).report.summary.orphans, 1);
  });

  test('that cannot go on with the orphans looks for contradictions no longer', async () => {
    let isOver = false;
    const contradictions: ContradictionFinder = {
      find: ({ signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () =>
            setImmediate(() => {
              isOver = true;
              reject(signal.reason);
            }),
          ),
        ),
    };
    const failing = sweep(await Swept.of([episode('e1')]), {
      contradictions,
      before: (command) => {
        if (command === 'takeStep') throw new HarkError('KVSTORE_UNAVAILABLE');
      },
    });
    await assert.rejects(failing, { code: 'KVSTORE_UNAVAILABLE' });
    assert.equal(isOver, true, 'nothing of that is left');
  });

  test('that cannot look for contradictions comes to its end with the orphans before it says so', async () => {
    const broken = new HarkError('MODEL_UNAVAILABLE');
    const swept = await Swept.of([episode('e1')]);
    const ran: string[] = [];
    const failing = sweep(swept, {
      contradictions: { find: () => Promise.reject(broken) },
      async before(name) {
        ran.push(name);
        await nextTurn();
      },
    });
    await assert.rejects(failing, broken);
    assert.deepEqual(ran, ['startSweep', 'takeStep']);
  });

  test('that was cut off goes on in the step in which it was, and takes none of those before again', async () => {
    const away = new HarkError('KVSTORE_UNAVAILABLE');
    const swept = await Swept.of(range(0, 80).map((n) => drawn(`c${n}`, { ageDays: 400 })));
    let parts = 0;
    const inSecondPart = (name: string) => {
      if (name === 'takeStep' && ++parts === 2) throw away;
    };
    await assert.rejects(sweep(swept, { before: inSecondPart }), away);
    const atItsEnd = (name: string) => {
      if (name === 'endSweep') throw away;
    };
    await assert.rejects(sweep(swept, { before: atItsEnd }), away);
    await swept.append(oneForEachStep);
    const { report, ran } = await sweep(swept);
    assert.deepEqual(
      ran.map(({ name, input }) => input.step ?? name),
      ['startSweep', 'prune', 'endSweep'],
    );
    assert.equal(report.summary.stale, 80);
  });

  test('that is to stop begins nothing, and once begun does nothing more', async () => {
    const swept = await Swept.of([drawn('old', { ageDays: 400 }), drawn('weak', { confidence: 0.1 })]);
    const stopped = sweep(swept, { signal: AbortSignal.abort(), before: () => assert.fail('it begins') });
    await assert.rejects(stopped, { name: 'AbortError' });
    const stopping = new AbortController();
    const ran: string[] = [];
    const before = (name: string) => {
      ran.push(name);
      if (name === 'takeStep') stopping.abort();
    };
    await assert.rejects(sweep(swept, { signal: stopping.signal, before }), { name: 'AbortError' });
    assert.deepEqual(ran, ['startSweep', 'takeStep']);
  });

  test('that another process has ended meanwhile comes to the report of that one', async () => {
    const swept = await Swept.of([drawn('c1')]);
    const others: CompletedSweep[] = [];
    const before = async (name: string) => {
      if (name === 'endSweep') others.push(await swept.sweep());
    };
    const { report } = await sweep(swept, { before });
    assert.deepEqual([report], others);
  });

  test('that another process has given up meanwhile comes to no report', async () => {
    const giveUp = async (swept: Swept) => {
      const { sweep: begun } = (await swept.memory()).upkeep;
      const who = { userId: USER, correlationId: 'test' };
      if (begun) await swept.runner.run(failSweep, { sweepId: begun.sweepId, code: 'INTERNAL' }, who);
    };
    const early = await Swept.of([]);
    const refused = { code: 'MEMORY_CHANGED' };
    await assert.rejects(sweep(early, { beforeRead: () => giveUp(early) }), refused);
    const late = await Swept.of([]);
    const before = (name: string) => (name === 'endSweep' ? giveUp(late) : undefined);
    await assert.rejects(sweep(late, { before }), refused);
  });
});
