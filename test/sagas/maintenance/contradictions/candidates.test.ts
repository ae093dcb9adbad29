import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, test } from 'vitest';
import { Pace } from '../../../../src/application/maintenance/pace.ts';
import { claimOf } from '../../../../src/language/claim.ts';
import { oppositionOf } from '../../../../src/language/opposition.ts';
import {
  type ComparedStatement,
  selectCandidates,
} from '../../../../src/sagas/maintenance/contradictions/candidates.ts';
import { Random } from '../../../support/random.ts';
import { range } from '../../../support/range.ts';

const said = (text: string, more: Partial<ComparedStatement> = {}): ComparedStatement => ({
  text,
  topic: null,
  value: null,
  negated: null,
  vector: undefined,
  ...more,
});

const choose = (statements: readonly ComparedStatement[], more = {}) =>
  selectCandidates(statements, {
    nearest: 5,
    most: 500,
    settled: [],
    pace: new Pace(),
    signal: new AbortController().signal,
    ...more,
  });

/** A pace that never has time. */
function resting(rest: () => Promise<unknown>): Pace {
  let ms = 0;
  return new Pace({ isChatting: () => true, now: () => ms++ * 2, rest });
}

const textsOf = async (statements: readonly ComparedStatement[]) =>
  (await choose(statements)).map(({ one, other }) => [statements[one]?.text, statements[other]?.text]);

describe('pairs of statements that may contradict each other', () => {
  test('are found by their words where no model says what they mean', async () => {
    const opposed = [
      ['The user lives in Berlin', 'The user lives in Lisbon'],
      ['The user likes coffee with milk', 'The user does not like coffee with milk'],
      ['The user has two children', 'The user has three children'],
      ['The user is a vegetarian at home', 'The user cooks steak at home'],
    ];
    const others = [
      'The user plays the violin',
      'The user drives an old Volvo',
      'The user is afraid of spiders',
    ];
    const statements = [...opposed.flat(), ...others].map((text) => said(text));
    const pairs = await textsOf(statements);
    for (const pair of opposed)
      assert.ok(
        pairs.some((found) => String(found) === String(pair)),
        String(pair),
      );
    assert.ok(pairs.length <= opposed.length + 2, JSON.stringify(pairs));
  });

  test('are weighed by what in them speaks for it', () => {
    const signsOf = (one: string, other: string) => oppositionOf(claimOf(one), claimOf(other), false).signs;
    assert.deepEqual(signsOf('The user likes jazz', "The user doesn't like jazz"), ['negation']);
    assert.deepEqual(signsOf('The user smokes', 'The user stopped smoking'), ['negation']);
    assert.deepEqual(signsOf('The user has 2 cats', 'The user has three cats'), ['numbers']);
    assert.deepEqual(signsOf('The user loves winter hikes', 'The user hates winter hikes'), [
      'opposites',
      'values',
    ]);
    assert.deepEqual(signsOf('The user likes jazz', 'The user likes jazz from Norway'), []);
    assert.deepEqual(signsOf('The user works with Anna at Acme', 'A colleague is Anna'), ['values', 'names']);
    assert.deepEqual(signsOf('The user is married to Tom', 'The user is single'), ['opposites']);
    assert.deepEqual(signsOf('The user plays chess', 'The car is red'), []);
  });

  test('are what is so and what is said not to be so, in whatever words that is told', async () => {
    const pairs = await choose([
      said('The user is free of pets', { topic: 'possession.cat', value: 'cat', negated: true }),
      said('The user has a cat', { topic: 'possession.cat', value: 'cat', negated: false }),
    ]);
    assert.ok(pairs[0]?.signs.includes('negation') || pairs[0]?.signs.includes('topic'));
  });

  test('are not those of which one says of something else that it is not so', async () => {
    const pairs = await choose([
      said('The user no longer works at Bosch.', { topic: 'work.employer', value: 'Bosch', negated: true }),
      said('The user works at Ikea.', { topic: 'work.employer', value: 'Ikea', negated: false }),
    ]);
    assert.deepEqual(pairs, []);
  });

  test('are those on one topic, however far apart their words', async () => {
    const statements = [
      said('The user moved to the coast', { topic: 'home.city' }),
      said('Munich is home', { topic: 'home.city' }),
      said('The user plays chess'),
    ];
    const pairs = await choose(statements);
    assert.deepEqual(
      pairs.map(({ one, other, signs }) => [one, other, signs.includes('topic')]),
      [[0, 1, true]],
    );
  });

  test('do not come twice, and what says the same counts once', async () => {
    const statements = [
      ...Array.from({ length: 3_000 }, () => said('The user lives in Berlin.')),
      ...Array.from({ length: 3_000 }, (_, index) =>
        said(index % 2 ? 'the user lives in Lisbon' : 'The user lives in Lisbon!'),
      ),
    ];
    const pairs = await choose(statements);
    assert.deepEqual(
      pairs.map(({ one, other }) => [one, other]),
      [[0, 3_000]],
    );
  });

  test('leave out what is settled, and are cut to the best', async () => {
    const cities = ['Berlin', 'Lisbon', 'Oslo', 'Rome', 'Paris'];
    const statements = cities.map((city) => said(`The user lives in ${city}`));
    assert.equal((await choose(statements)).length, 10);
    assert.equal((await choose(statements, { settled: [[1, 0]] })).length, 9);
    assert.equal((await choose(statements, { most: 3 })).length, 3);
    const [first] = await choose([...statements, said('The user does not live in Rome')], { most: 1 });
    assert.deepEqual([first?.one, first?.other], [3, 5]);
  });

  test('are found among vectors of several lengths, without a direction or with what is no number', async () => {
    const near = (value: number) => Float32Array.of(1, value, 0, 0);
    const statements = [
      said('The user lives in Berlin', { vector: near(0.1) }),
      said('The user lives in Lisbon', { vector: near(0.9) }),
      said('The user lives in Oslo', { vector: new Float32Array(4) }),
      said('The user lives in Rome', { vector: Float32Array.of(Number.NaN, 1, 1, 1) }),
      said('The user lives in Paris', { vector: Float32Array.of(1, 0) }),
      said('The user lives in Kyiv', { vector: Float32Array.of(Number.POSITIVE_INFINITY, 0, 0, 0) }),
      said('The user lives in Bern'),
    ];
    const pairs = await choose(statements, { nearest: 6 });
    assert.equal(pairs.length, 21);
    assert.ok(pairs.every(({ similarity }) => Number.isFinite(similarity)));
  });

  test('are as similar as their own vectors are, also where one before them has none', async () => {
    const similar = async (...between: readonly ComparedStatement[]) => {
      const lives = said('The user lives in Berlin', { vector: Float32Array.of(1, 0.5, 0) });
      const moved = said('The user lives in Lisbon', { vector: Float32Array.of(1, 0, 0.2) });
      const statements = [...between, lives, moved];
      const found = await choose(statements, { nearest: 6 });
      const both = found.find(({ one, other }) =>
        [lives, moved].every((each) => [one, other].some((place) => statements[place] === each)),
      );
      return both?.similarity;
    };
    const alone = await similar();
    assert.ok(alone);
    assert.equal(await similar(said('The user plays chess')), alone);
  });

  test('of nothing or of one are none, and no thread is started to find that', async (t) => {
    const onThread = () => assert.fail('a thread is started');
    process.on('worker', onThread);
    t.onTestFinished(() => void process.off('worker', onThread));
    assert.deepEqual(await choose([]), []);
    assert.deepEqual(await choose([said('The user lives in Berlin')]), []);
  });

  test('of what has no words are none', async () => {
    assert.deepEqual(await choose([said(''), said('!')]), []);
  });

  test('are given up when nobody wants them any more, whatever is just being done', async () => {
    const random = new Random(5);
    const statements = Array.from({ length: 3_000 }, (_, index) =>
      said(`The user lives in town ${index}`, {
        vector: Float32Array.from({ length: 64 }, () => random.next() - 0.5),
      }),
    );
    for (const afterMs of [0, 20, 60, 90, 120, 150, 180, 210, 240]) {
      const signal = AbortSignal.timeout(afterMs);
      // The machine may be quick enough.
      await choose(statements, { signal }).catch((error) => assert.equal(error, signal.reason));
    }
    const giveUp = new AbortController();
    const selecting = choose(statements, { signal: giveUp.signal });
    giveUp.abort(new Error('given up'));
    await assert.rejects(selecting, /given up/);
  });

  test('are given up also while they are handed over, and then nothing goes on with them', async () => {
    const giveUp = new AbortController();
    const { signal } = giveUp;
    const exited = new Promise((resolve) =>
      process.once('worker', (thread) => void thread.once('exit', resolve)),
    );
    let rests = 0;
    const rest = async () => {
      if (++rests > 1) return;
      giveUp.abort(new Error('given up'));
      await exited;
      await nextTurn();
    };
    const statements = range(0, 200).map((n) => said(`The user lives in town ${n}`));
    await assert.rejects(choose(statements, { signal, pace: resting(rest) }), /given up/);
    assert.equal(rests, 1);
  });

  test('are handed over 64 statements at a stretch, and leave nothing with whoever may give them up', async () => {
    let rests = 0;
    const { signal } = new AbortController();
    const statements = range(0, 200).map((n) => said(`The user lives in town ${n}`));
    await choose(statements, { signal, pace: resting(async () => rests++) });
    assert.equal(rests, 4);
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});
