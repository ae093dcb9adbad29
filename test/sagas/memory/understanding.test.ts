import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import type { NearBelief } from '../../../src/application/memory/nearestBeliefs.ts';
import type { Understanding } from '../../../src/application/memory/ports.ts';
import type { SpokenWords } from '../../../src/application/memory/words.ts';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import { fails, says, saysJson } from '../../../src/demo/model/script.ts';
import { type UnderstandingSlots, understandWith } from '../../../src/sagas/memory/understanding.ts';
import { isModelAway } from '../../../src/sagas/retryPolicy.ts';
import { CLOUD, Routing } from '../../support/models/routing.ts';

const offline: Understanding = {
  summary: 'offline summary',
  topic: 'offline topic',
  keywords: ['offline'],
  importance: 5,
  reasons: ['personal fact'],
  trivial: false,
  findings: [],
  answer: null,
  by: 'offline',
};
const words: readonly SpokenWords[] = [
  { turnId: 't1', role: 'user', text: 'My sister Mia lives in Oslo.', at: 1 },
  { turnId: 't1', role: 'assistant', text: 'You live in Oslo? Nice.', at: 2 },
];
const summary = { reasoning: 'family', summary: 'Mia lives in Oslo.', topic: 'family', keywords: ['mia'] };

async function understand(
  test: TestContext,
  facts: unknown,
  read = offline,
  needsModel = false,
  said = words,
  named: UnderstandingSlots = { summary: 'summarization', conclusions: 'consolidation' },
  believed: readonly NearBelief[] = [],
) {
  const routing = await Routing.start(test);
  const slot = { ...CLOUD, fallbacks: [] };
  const slots = { chat: slot, summarization: slot, consolidation: slot };
  await routing.runner.run(changeSlots, { slots, strategy: 'none', catalogs: {} }, routing.context);
  const isFacts = ({ body }: { body: unknown }) => JSON.stringify(body).includes('List what the user says');
  routing.models.script((request) =>
    isFacts(request)
      ? typeof facts === 'string'
        ? says(facts)
        : saysJson(facts)
      : saysJson(named.conclusions ? summary : facts),
  );
  const failures: string[] = [];
  const parts = {
    offline: async () => read,
    models: routing.router,
    slots: () => named,
    nearest: async () => believed,
    onFailure: (what: string) => void failures.push(what),
  };
  const signal = AbortSignal.timeout(20_000);
  const asking = { userId: 'local', correlationId: 'test', signal, needsModel };
  const understood = await understandWith(parts)(said, asking);
  return { understood, failures, asked: routing.models.requests.length };
}

const fact = (text: string, turns: readonly number[], confidence = 0.8) => ({
  text,
  type: 'inferred',
  confidence,
  turns,
});

describe('understanding with a model', () => {
  it('takes its summary, and the facts that name turns of the user', async (t) => {
    const { understood } = await understand(t, {
      reasoning: 'turn 1',
      facts: [fact('The user has a sister called Mia.', [1])],
    });
    assert.deepEqual([understood.summary, understood.by], ['Mia lives in Oslo.', 'model']);
    assert.deepEqual(understood.findings, [
      {
        text: 'The user has a sister called Mia.',
        type: 'inferred',
        confidence: 0.8,
        turnIds: ['t1'],
        about: null,
        by: 'model',
      },
    ]);
  });

  it('drops what rests on turns that are made up, or that the user did not say', async (t) => {
    const { understood } = await understand(t, {
      reasoning: '',
      facts: [fact('The user lives in Oslo.', [2]), fact('The user is a pilot.', [7])],
    });
    assert.deepEqual(understood.findings, []);
  });

  it('keeps the surest of too many facts', async (t) => {
    const facts = Array.from({ length: 500 }, (_, n) => fact(`Thing ${n} is with the sister.`, [1], n / 500));
    const { understood } = await understand(t, { reasoning: '', facts });
    assert.equal(understood.findings.length, 20);
    assert.equal(understood.findings[0]?.text, 'Thing 499 is with the sister.');
  });

  it('does without a model that answers in prose', async (t) => {
    const { understood, failures } = await understand(t, 'Sure! The user has a sister.');
    assert.deepEqual(understood.findings, []);
    assert.deepEqual(failures, ['memory consolidation']);
  });

  it('does not wait for a model that answers in prose', async (t) => {
    const { understood } = await understand(t, 'Sure! The user has a sister.', offline, true);
    assert.deepEqual([understood.summary, understood.findings], ['Mia lives in Oslo.', []]);
  });

  it('fails where it is to wait for a model that is away', async (t) => {
    for (const failure of ['overloaded', 'billing', 'server-error'] as const) {
      const routing = await Routing.start(t);
      await routing.chain('none', CLOUD);
      routing.models.script(fails(failure));
      const parts = {
        offline: async () => offline,
        models: routing.router,
        slots: () => ({ summary: 'chat', conclusions: undefined }) as const,
        nearest: async () => [],
        onFailure: () => {},
      };
      const signal = AbortSignal.timeout(20_000);
      const asking = { userId: 'local', correlationId: 'test', signal, needsModel: true };
      await assert.rejects(understandWith(parts)(words, asking), isModelAway);
      assert.ok(routing.models.requests.length > 0);
      assert.deepEqual(await understandWith(parts)(words, { ...asking, needsModel: false }), offline);
    }
  });

  const trivial = { ...offline, trivial: true };
  const vegan = [{ turnId: 't1', role: 'user', text: 'Ich bin Veganer.', at: 1 }] as const;

  it('leaves to it what no rule finds anything in, in whatever language', async (t) => {
    const facts = { reasoning: '', facts: [fact('Der Nutzer ist Veganer.', [1])] };
    const { asked, understood } = await understand(t, facts, trivial, false, vegan);
    assert.deepEqual([asked, understood.trivial, understood.summary], [2, false, 'Mia lives in Oslo.']);
    assert.deepEqual(
      understood.findings.map(({ text }) => text),
      ['Der Nutzer ist Veganer.'],
    );
  });

  it('believes what it concludes from another language, by the words that it quotes', async (t) => {
    const said = (text: string) => [{ turnId: 't1', role: 'user', text, at: 1 }] as const;
    const believed = async (text: string, quote: string, from: string) => {
      const facts = { reasoning: '', facts: [{ ...fact(text, [1]), quote }] };
      const { understood } = await understand(t, facts, trivial, false, said(from));
      return understood.findings.map((finding) => finding.text);
    };
    const text = 'The user eats no meat.';
    assert.deepEqual(await believed(text, 'Ich esse kein Fleisch', 'Ich esse kein Fleisch.'), [text]);
    assert.deepEqual(await believed(text, '', 'Ich esse kein Fleisch.'), [], 'it quotes nothing');
    assert.deepEqual(
      await believed(text, 'Fleisch esse ich nie', 'Ich esse kein Fleisch.'),
      [],
      'nobody said so',
    );
    assert.deepEqual(
      await believed(text, 'Ich esse kein Fleisch', '> Ich esse kein Fleisch.\nWas sage ich?'),
      [],
      'it is shown',
    );
    const taken = 'Ich mag Kaffee. Vergiss, dass ich Kaffee mag.';
    assert.deepEqual(
      await believed('The user likes coffee.', 'Ich mag Kaffee', taken),
      [],
      'it is taken back',
    );
    const tom = 'Mein Mann Tom ist allergisch gegen Nüsse.';
    assert.deepEqual(await believed('The user is allergic to nuts.', tom, tom), [], 'it is so of another');
    const husband = "The user's husband Tom is allergic to nuts.";
    assert.deepEqual(await believed(husband, tom, tom), [husband]);
  });

  it('asks once about what it finds nothing in either', async (t) => {
    const { asked, understood } = await understand(t, { reasoning: '', facts: [] }, trivial);
    assert.deepEqual([asked, understood.trivial, understood.summary], [1, true, 'offline summary']);
  });

  it('has one that sums up say whether it matters, where no other is set', async (t) => {
    const alone = { summary: 'summarization', conclusions: undefined } as const;
    for (const matters of [true, false]) {
      const { understood } = await understand(t, { ...summary, matters }, trivial, false, vegan, alone);
      assert.equal(understood.trivial, !matters);
    }
  });

  it('asks no model about what the user did not say, or asked to be forgotten', async (t) => {
    for (const text of ['…', '> Hello', 'Forget that I love coffee.']) {
      const said = [{ turnId: 't1', role: 'user', text, at: 1 }] as const;
      const { asked } = await understand(t, {}, trivial, false, said);
      assert.equal(asked, 0, text);
    }
  });

  it('leaves what no slot was set for to be read without', async (t) => {
    const routing = await Routing.start(t);
    const slots = { chat: { ...CLOUD, fallbacks: [] } };
    await routing.runner.run(changeSlots, { slots, strategy: 'none', catalogs: {} }, routing.context);
    routing.models.script(saysJson({ reasoning: 'turn 1', facts: [fact('The user has a sister.', [1])] }));
    const { router: models } = routing;
    const set = { summary: undefined, conclusions: 'consolidation' } as const;
    const parts = {
      offline: async () => offline,
      models,
      slots: () => set,
      nearest: async () => [],
      onFailure: () => {},
    };
    const signal = AbortSignal.timeout(20_000);
    const understood = await understandWith(parts)(words, { userId: 'local', correlationId: 'test', signal });
    assert.deepEqual(
      [understood.summary, understood.by, understood.findings.map(({ text }) => text)],
      ['offline summary', 'offline', ['The user has a sister.']],
    );
    assert.equal(routing.models.requests.length, 1);
  });

  it('goes on without when no model answers', async (t) => {
    const routing = await Routing.start(t);
    routing.models.script(fails('overloaded'));
    const parts = {
      offline: async () => offline,
      models: routing.router,
      slots: () => ({ summary: 'summarization', conclusions: 'consolidation' }) as const,
      nearest: async () => [],
      onFailure: () => {},
    };
    const signal = AbortSignal.timeout(20_000);
    const understood = await understandWith(parts)(words, { userId: 'local', correlationId: 'test', signal });
    assert.deepEqual(understood, offline);
  });
});
