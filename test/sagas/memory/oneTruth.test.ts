import assert from 'node:assert/strict';
import { afterAll, describe, it, type TestContext } from 'vitest';
import { nearestBeliefs } from '../../../src/application/memory/nearestBeliefs.ts';
import { Statements } from '../../../src/application/memory/statements.ts';
import type { SpokenWords } from '../../../src/application/memory/words.ts';
import { consolidate } from '../../../src/commands/memory/consolidate.ts';
import { userMemory } from '../../../src/commands/memory/state.ts';
import { restoreConclusions } from '../../../src/commands/memory/userChanges.ts';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import { saysJson } from '../../../src/demo/model/script.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { userEntities } from '../../../src/folds/entities/entities.ts';
import { Language } from '../../../src/language/language.ts';
import { remembered } from '../../../src/projections/memory/remembered.ts';
import { understandOffline, understandWith } from '../../../src/sagas/memory/understanding.ts';
import { aConclusion, episode } from '../../commands/memory/sample.ts';
import { decide, fold, NOW } from '../../support/given.ts';
import { CLOUD, Routing } from '../../support/models/routing.ts';

/** What the scripted model says of a fact; it names what it was shown by its text. */
interface Fact {
  readonly text: string;
  readonly relation?: string;
  readonly of?: readonly string[];
  readonly turns?: readonly number[];
  readonly quote?: string;
}

const language = new Language();
afterAll(() => language.stop());

async function told(
  test: TestContext,
  known: readonly (string | NewEvent)[],
  said: readonly string[],
  facts: readonly Fact[],
) {
  const past = known.map((one, at) => (typeof one === 'string' ? aConclusion(`k${at}`, { text: one }) : one));
  const routing = await Routing.start(test);
  const slot = { ...CLOUD, fallbacks: [] };
  const slots = { chat: slot, consolidation: slot };
  await routing.runner.run(changeSlots, { slots, strategy: 'none', catalogs: {} }, routing.context);
  let asked = '';
  routing.models.script(({ body }) => {
    asked = JSON.stringify(body);
    const numberOf = (text: string) => {
      const [, number] = asked.replaceAll('\\', '').match(new RegExp(`"known":(\\d+),"says":"${text}`)) ?? [];
      return Number(number ?? text);
    };
    return saysJson({
      reasoning: '',
      facts: facts.map(({ text, relation, of, turns = [1], quote = '' }) => ({
        ...{ text, type: 'explicit', confidence: 0.9, turns, quote },
        ...(relation === undefined ? {} : { relation }),
        ...(of === undefined ? {} : { known: of.map(numberOf) }),
      })),
    });
  });
  const memory = fold(remembered, past);
  const nearest = {
    statementsOf: async () => new Statements(memory, userEntities.initial),
    nearStatements: async () => [],
  };
  const understand = understandWith({
    offline: understandOffline(language),
    models: routing.router,
    slots: () => ({ summary: undefined, conclusions: 'consolidation' }),
    nearest: (userId, words) => nearestBeliefs(nearest, userId, words),
    onFailure: (_what, error) => assert.fail(String(error)),
  });
  const words = said.map((text, at): SpokenWords => ({ turnId: `t${at}`, role: 'user', text, at: NOW }));
  const signal = AbortSignal.timeout(20_000);
  const { findings } = await understand(words, { userId: 'local', correlationId: 'test', signal });
  const settled = decide(consolidate, fold(userMemory, past), {
    ...{ conversationId: 'c1', sessionId: 's1', skipped: null, after: null, erasures: 0, erasesWords: false },
    ...{ episode: episode({ conversationId: 'c1' }), findings },
  });
  const after = fold(userMemory, [...past, ...settled]);
  const believed = Object.values(after.conclusions).filter(({ status }) => status === 'active');
  const reasons = settled.flatMap(({ type, data }) =>
    type === 'memory.conclusion.superseded' ? [Reflect.get(Object(data), 'because')] : [],
  );
  return { believed: believed.map(({ text }) => text).sort(), reasons, settled, after, past, asked };
}

describe('one truth at a time, with a model', () => {
  const cases: readonly (readonly [name: string, known: string, said: string, fact: Fact])[] = [
    [
      'a birthday',
      'The user is 34 years old.',
      'I turned 35 yesterday.',
      { text: 'The user is 35 years old.' },
    ],
    [
      'a taste',
      'The user loves pizza.',
      'Pizza disgusts me these days.',
      { text: 'The user dislikes pizza.' },
    ],
    [
      'a home',
      'The user lives in Berlin.',
      'We are finally settled in Hamburg.',
      { text: 'The user lives in Hamburg.' },
    ],
    [
      'a divorce',
      'The user is married to Anna.',
      'The judge signed it, I am single again.',
      { text: 'The user is single again.' },
    ],
    [
      'a third child',
      'The user has two children.',
      'Our third child was born.',
      { text: 'The user has three children, the third was just born.' },
    ],
    [
      'a meeting',
      'The user has a meeting with Dana on Tuesday.',
      'The meeting with Dana was pushed to Thursday.',
      { text: 'The user has a meeting with Dana on Thursday.' },
    ],
  ];
  for (const [name, known, said, fact] of cases)
    it(`takes a later word on the same for what is so: ${name}`, async (t) => {
      const { believed, reasons, settled, after } = await told(
        t,
        [known, 'The user keeps bees.'],
        [said],
        [{ ...fact, relation: 'replaces', of: [known] }],
      );
      assert.deepEqual(believed, [fact.text, 'The user keeps bees.'].sort());
      assert.deepEqual(reasons, ['replaced']);
      assert.ok(settled.length > 0);
      const restored = decide(restoreConclusions, after, { conclusionIds: ['k0'] });
      assert.deepEqual(restored, [{ type: 'memory.conclusion.restored', data: { conclusionId: 'k0' } }]);
    });

  it('has one belief take the place of another, where two might', async (t) => {
    const known = 'The user drives a Skoda.';
    const facts = [
      { text: 'The user has a Volvo instead of the Skoda.', relation: 'replaces', of: [known] },
      { text: 'The user drives a Volvo now, not the Skoda.', relation: 'replaces', of: [known] },
    ];
    const said = ['The Skoda made way for a Volvo at last.'];
    const { believed, reasons } = await told(t, [known], said, facts);
    assert.deepEqual([believed, reasons], [facts.map(({ text }) => text).sort(), ['replaced']]);
  });

  it('takes a later word in another language for what is so', async (t) => {
    const known = 'The user has a cat called Miso.';
    const text = 'The user no longer has a cat.';
    const quote = 'Die Katze haben wir weggegeben';
    const { believed, reasons } = await told(
      t,
      [known, 'The user keeps bees.'],
      [`${quote}.`],
      [{ text, quote, relation: 'ended', of: [known] }],
    );
    assert.deepEqual([believed, reasons], [['The user keeps bees.', text], ['ended']]);
  });

  it('takes away what was a joke, in an earlier conversation', async (t) => {
    const known = 'The user has a tattoo of a shark.';
    const text = 'The user has no tattoo.';
    const { believed, reasons } = await told(
      t,
      [known],
      ['I was joking, there is no tattoo.'],
      [{ text, relation: 'ended', of: [known] }],
    );
    assert.deepEqual([believed, reasons], [[text], ['ended']]);
  });

  it('believes nothing of what was a joke in the same conversation', async (t) => {
    const said = ['I have a tattoo of a shark.', 'I was joking about the tattoo.'];
    const known = 'The user has a tattoo of a shark.';
    const fact = {
      text: 'The user was joking about the tattoo.',
      relation: 'ended',
      of: [known],
      turns: [1, 2],
    };
    assert.deepEqual((await told(t, [], said, [fact])).believed, []);
    assert.deepEqual((await told(t, [], said, [])).believed, [known]);
  });

  for (const [person, name, food] of [
    ['husband', 'Tom', 'shellfish'],
    ['daughter', 'Emma', 'peanuts'],
  ])
    it(`believes both of a ${person} and of what is so of them, and nothing of the user`, async (t) => {
      const rule = `The user's ${person} is called ${name}.`;
      const { believed } = await told(
        t,
        [],
        [`My ${person} ${name} is allergic to ${food}.`],
        [
          { text: `The user has a ${person} called ${name}.`, relation: 'same', of: [rule] },
          { text: `${name}, the user's ${person}, is allergic to ${food}.` },
          { text: `The user is allergic to ${food}.` },
        ],
      );
      assert.deepEqual(believed, [rule, `${name}, the user's ${person}, is allergic to ${food}.`].sort());
    });

  it('keeps both of two that contradict each other, and says so', async (t) => {
    const known = 'The user drinks no coffee.';
    const { believed, after } = await told(
      t,
      [known],
      ['I need my coffee in the morning.'],
      [{ text: 'The user needs coffee in the morning.', relation: 'contradicts', of: [known] }],
    );
    assert.equal(believed.length, 2);
    assert.equal(after.conclusions.k0?.contradicts.length, 1);
  });

  it('finds the same in other words', async (t) => {
    const known = 'The user is a vegan.';
    const { believed, after } = await told(
      t,
      [known],
      ['Being vegan I skip cheese.'],
      [{ text: 'The user follows a vegan diet.', relation: 'same', of: [known] }],
    );
    assert.deepEqual(believed, [known]);
    assert.equal(after.conclusions.k0?.sources.length, 1);
  });
});

describe('a model that is wrong, or lies', () => {
  const known = ['The user loves pizza.', 'The user has a dog called Rex.', 'The user lives in Berlin.'];
  const fact = { text: 'The user plays the cello.', relation: 'replaces' };
  const all = [...known, fact.text].sort();

  it('does away with nothing that has nothing to do with it', async (t) => {
    for (const relation of ['replaces', 'ended', 'contradicts', 'same'])
      assert.deepEqual(
        (await told(t, known, ['I play the cello.'], [{ ...fact, relation, of: known }])).believed,
        all,
      );
  });

  it('does away with nothing by words that the user did not say', async (t) => {
    const text = 'The user plays the cello, and has no pizza and no dog Rex.';
    const { reasons } = await told(t, known, ['I play the cello.'], [{ text, relation: 'ended', of: known }]);
    assert.deepEqual(reasons, []);
  });

  it('names what it was not shown, and is taken to say something new', async (t) => {
    assert.deepEqual(
      (await told(t, known, ['I play the cello.'], [{ ...fact, of: ['77', '-1'] }])).believed,
      all,
    );
  });

  it('does not take the home of somebody else for that of the user', async (t) => {
    const home = "The user's mother lives in Hamburg.";
    const { believed } = await told(
      t,
      known,
      ['My mother moved to Hamburg.'],
      [{ text: home, relation: 'replaces', of: [known[2] ?? ''] }],
    );
    assert.deepEqual(believed, [...known, home].sort());
  });

  it('of an older kind says nothing of what is known', async (t) => {
    assert.deepEqual((await told(t, known, ['I play the cello.'], [{ text: fact.text }])).believed, all);
  });
});

describe('what is shown', () => {
  it('is forty beliefs at most, those that the words speak of among them', async (t) => {
    const many = Array.from(
      { length: 200 },
      (_, at) => `The user knows person ${at} from ${at === 3 ? 'Bergen' : 'work'}.`,
    );
    const { asked } = await told(t, many, ['I am off to Bergen.'], [{ text: 'The user is off to Bergen.' }]);
    const shown = asked.match(/known\\":\d+/g) ?? [];
    assert.equal(shown.length, 40);
    assert.ok(asked.includes('person 3 from Bergen'));
  });
});
