import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import { fails, says, saysJson } from '../../../src/demo/model/script.ts';
import type { EntityReading, EpisodeWords } from '../../../src/sagas/entities/ports.ts';
import { readWithModel } from '../../../src/sagas/entities/readWithModel.ts';
import { isModelAway } from '../../../src/sagas/retryPolicy.ts';
import { found } from '../../commands/entities/sample.ts';
import { CLOUD, Routing } from '../../support/models/routing.ts';

const words: readonly EpisodeWords[] = [
  { turnId: 't1', role: 'user', text: 'My sister Mia Jansen works at Acme. I call her Mimi.', at: 1 },
  { turnId: 't1', role: 'assistant', text: 'Like Marie Curie, then.', at: 2 },
  { turnId: 't2', role: 'user', text: 'Mimi moved to Oslo.', at: 3 },
];
const offline: EntityReading = { entities: [found('Offline')], relationships: [], by: 'offline' };

async function reading(
  test: TestContext,
  answer: Parameters<Routing['models']['script']>[0],
  isSet = true,
  needsModel = false,
) {
  const routing = await Routing.start(test);
  const slot = { ...CLOUD, fallbacks: [] };
  const slots = { chat: slot, extraction: slot };
  await routing.runner.run(changeSlots, { slots, strategy: 'none', catalogs: {} }, routing.context);
  routing.models.script(answer);
  const failures: string[] = [];
  const onFailure = (what: string) => void failures.push(what);
  const parts = {
    offline: async () => offline,
    models: routing.router,
    mayAsk: async () => isSet,
    onFailure,
  };
  const asking = { userId: 'local', correlationId: 'test', signal: AbortSignal.timeout(20_000), needsModel };
  const read = await readWithModel(parts)(words, asking);
  return { read, failures, asked: routing.models.requests.length };
}

const mia = { name: 'Mia Jansen', type: 'person', aliases: ['Mimi', 'Mia J.'] };
const works = { from: 'Mia Jansen', type: 'Works at', to: 'Acme', confidence: 0.9 };
const answer = { reasoning: 'turn 1', entities: [mia], relationships: [works] };

describe('names read with a model', () => {
  it('are those that the user said, with the turns that say them', async (t) => {
    const { read } = await reading(t, saysJson(answer));
    assert.deepEqual(read, {
      entities: [
        { name: 'Mia Jansen', type: 'person', aliases: ['Mimi'], turnIds: ['t1', 't2'], mentions: 2 },
      ],
      relationships: [{ ...works, type: 'works_at' }],
      by: 'model',
    });
  });

  it('are not those that nobody said, or that the assistant said by itself', async (t) => {
    const entities = ['Marie Curie', 'Zoe', 'Os'].map((name) => ({ name, type: 'person', aliases: [] }));
    const { read } = await reading(t, saysJson({ ...answer, entities }));
    assert.deepEqual(read.entities, []);
  });

  it('are so many at most, those that are named most often', async (t) => {
    const many = Array.from({ length: 500 }, () => ({ name: 'Acme', type: 'organization', aliases: [] }));
    const relationships = Array.from({ length: 500 }, () => works);
    const { read } = await reading(t, saysJson({ ...answer, entities: [...many, mia], relationships }));
    assert.deepEqual(
      [read.entities.length, read.entities[0]?.name, read.relationships.length],
      [40, 'Mia Jansen', 40],
    );
  });

  it('are read without one when it fails, or says something else', async (t) => {
    for (const said of [says('Sure! Mia, Acme'), saysJson({ entities: 7 }), fails('server-error')]) {
      const { read, failures } = await reading(t, said);
      assert.deepEqual([read, failures], [offline, ['entities extraction']]);
    }
  });

  it('wait for one that is away where they are to, and not for one that says something else', async (t) => {
    await assert.rejects(reading(t, fails('server-error'), true, true), isModelAway);
    await assert.rejects(reading(t, fails('billing'), true, true), isModelAway);
    const { read } = await reading(t, says('Sure! Mia, Acme'), true, true);
    assert.deepEqual(read, offline);
  });

  it('are read without one when none is set', async (t) => {
    const { read, asked } = await reading(t, saysJson(answer), false);
    assert.deepEqual([read, asked], [offline, 0]);
  });
});
