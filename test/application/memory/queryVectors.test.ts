import assert from 'node:assert/strict';
import { describe, it, type TestContext, vi } from 'vitest';
import { QueryExpansion, QueryVectors } from '../../../src/application/memory/queryVectors.ts';
import { refreshCatalog } from '../../../src/commands/providers/catalog.ts';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import { fails, saysJson, silent } from '../../../src/demo/model/script.ts';
import type { ModelRef, SlotTable } from '../../../src/events/providers.ts';
import { model } from '../../commands/providers/given.ts';
import { BACKUP, CLOUD, LOCAL, Routing } from '../../support/models/routing.ts';

const PATIENT = 20_000;

async function expansion(test: TestContext, table: Readonly<Record<string, ModelRef>>, limitMs?: number) {
  const routing = await Routing.start(test);
  const { runner, slots, models, router } = routing;
  const withChat = { slots: { chat: CLOUD, ...table }, strategy: 'cloud-backup', catalogs: {} } as const;
  await runner.run(changeSlots, withChat, routing.context);
  const capabilities = ['chat', 'classification', 'json'] as const;
  const listed = { latencyMs: 1, models: [model(LOCAL.model, { capabilities })] };
  const isSet = () => {
    const set: SlotTable = slots.view().slots;
    return set.classification !== undefined;
  };
  const made = new QueryExpansion({
    models: router,
    isOn: () => true,
    isSet,
    local: () => slots.localChoice('classification'),
    onFailure: () => {},
    ...(limitMs === undefined ? {} : { limitMs }),
  });
  test.onTestFinished(() => made.stop());
  const learn = () => runner.run(refreshCatalog, { providerId: 'local-runner', ...listed }, routing.context);
  models.script(saysJson({ words: ['sofa'] }), { endpoint: 'chat' });
  const asked = () => models.requests.map(({ provider, model: id }) => ({ provider, model: id }));
  return { models, made, learn, asked };
}

describe('what a query means', () => {
  function asked(answers: readonly (Float32Array | Error)[]) {
    const texts: string[] = [];
    const embedder = {
      model: 'local-runner/small',
      isResting: false,
      embed: async ([text = '']: readonly string[]) => {
        const answer = answers[texts.push(text) - 1];
        if (!answer || answer instanceof Error) throw answer;
        return { provider: 'local-runner', model: 'small', vectors: [answer] } as const;
      },
    } as const;
    return { texts, made: new QueryVectors({ embedder, onFailure: () => undefined }) };
  }

  it('is there once for who asks next where it was asked ahead, and not where that failed', async () => {
    const vector = Float32Array.of(1, 0);
    const { texts, made } = asked([new Error('away'), vector, vector, vector, vector]);
    assert.equal(await made.prepare('tea'), undefined);
    const both = await Promise.all([made.prepare('tea'), made.of('tea')]);
    assert.deepEqual(
      both.map((one) => one?.vector),
      [vector, vector],
    );
    assert.deepEqual(texts, ['tea', 'tea']);
    await made.of('tea');
    await made.of('tea');
    assert.deepEqual(texts, ['tea', 'tea', 'tea', 'tea']);
  });
});

describe('the words of a query', () => {
  it('are added to by the model of the classification slot', async (t) => {
    const { made, learn, asked } = await expansion(t, { classification: BACKUP }, PATIENT);
    await learn();
    assert.equal(await made.expand('chesterfield'), 'chesterfield sofa');
    assert.deepEqual(asked(), [BACKUP]);
  });

  it("are added to by the local runner's model where that slot is not set, and by no other", async (t) => {
    const { made, models, learn, asked } = await expansion(t, {}, PATIENT);
    assert.equal(await made.expand('chesterfield'), 'chesterfield');
    assert.deepEqual(asked(), []);
    await learn();
    assert.equal(await made.expand('chesterfield'), 'chesterfield sofa');
    models.script(fails('billing'), { provider: 'local-runner' });
    assert.equal(await made.expand('chesterfield'), 'chesterfield');
    assert.deepEqual(asked(), [LOCAL, LOCAL]);
  });

  it('are taken as they are when no more come in time', async (t) => {
    const { made, models, learn } = await expansion(t, {});
    await learn();
    models.script(silent(), { endpoint: 'chat' });
    assert.equal(await made.expand('chesterfield'), 'chesterfield');
  });

  it('wait 50 ms for a model, and not a moment longer', async (t) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    t.onTestFinished(() => void vi.useRealTimers());
    let asked = 0;
    const thinks = {
      async *complete() {
        asked++;
        yield await new Promise<never>(() => {});
      },
    };
    const made = new QueryExpansion({
      models: thinks,
      isOn: () => true,
      isSet: () => true,
      local: () => undefined,
      onFailure: () => {},
    });
    t.onTestFinished(() => made.stop());
    let expanded: string | undefined;
    const expanding = made.expand('chesterfield').then((query) => {
      expanded = query;
    });
    await vi.advanceTimersByTimeAsync(49);
    assert.deepEqual([asked, expanded], [1, undefined]);
    await vi.advanceTimersByTimeAsync(1);
    await expanding;
    assert.equal(expanded, 'chesterfield');
    // While it still thinks, nobody waits for it at all.
    assert.equal(await made.expand('sofa'), 'sofa');
    assert.equal(asked, 1);
  });
});
