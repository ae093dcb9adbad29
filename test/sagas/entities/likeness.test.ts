import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import type { FoundEntity } from '../../../src/commands/entities/recordEntities.ts';
import { changeSlots } from '../../../src/commands/providers/changeSlots.ts';
import type { ModelRequest } from '../../../src/demo/model/request.ts';
import { embeds, fails } from '../../../src/demo/model/script.ts';
import { likenessBy } from '../../../src/sagas/entities/likeness.ts';
import { isModelAway } from '../../../src/sagas/retryPolicy.ts';
import { found, knownAfter, record } from '../../commands/entities/sample.ts';
import { CLOUD, Routing } from '../../support/models/routing.ts';

/** Directions in which names point, in degrees: a cosine of 0.85 is 31.8 apart. */
const directions: Readonly<Record<string, number>> = { Robert: 0, Bob: 31, Rob: 10, Zoe: 32, Ann: 180 };
const pointing = (text: string) => {
  const angle = ((directions[text] ?? 90) * Math.PI) / 180;
  return [3 * Math.cos(angle), 3 * Math.sin(angle)];
};
const means = ({ texts }: ModelRequest) => embeds(...texts.map(pointing));

const known = knownAfter(
  record('e1', { entities: [found('Robert'), found('Ann'), found('Oslo', { type: 'place' })] }),
);

async function liken(
  test: TestContext,
  names: readonly FoundEntity[],
  script: Parameters<Routing['models']['script']>[0] = means,
  needsModel = false,
) {
  const routing = await Routing.start(test);
  const embedding = { provider: 'cloud-b', model: 'text-embedding-3-small', fallbacks: [] } as const;
  const slots = { chat: { ...CLOUD, fallbacks: [] }, embedding };
  await routing.runner.run(changeSlots, { slots, strategy: 'none', catalogs: {} }, routing.context);
  routing.models.script(script, { provider: 'cloud-b', endpoint: 'embed' });
  const failures: string[] = [];
  const onFailure = (what: string) => void failures.push(what);
  const asking = { correlationId: 'test', signal: AbortSignal.timeout(20_000), needsModel };
  const likened = await likenessBy({ models: routing.router, mayAsk: async () => true, onFailure })(
    known,
    names,
    asking,
  );
  const asked = routing.models.requests.flatMap(({ texts }) => texts);
  return { likes: likened.map(({ like }) => like), asked, failures };
}

describe('a name that nobody knows', () => {
  it('is of the nearest of its type, from a cosine of 0.85 on', async (t) => {
    const { likes, failures } = await liken(t, [found('Bob'), found('Zoe'), found('Rob', { type: 'place' })]);
    assert.deepEqual([likes, failures], [['e1-1', undefined, undefined], []]);
  });

  it('is compared alone: what is known by name is not', async (t) => {
    assert.deepEqual((await liken(t, [found('ROBERT')])).asked, []);
    const { asked } = await liken(t, [found('ROBERT'), found('Bob')]);
    assert.deepEqual(asked.toSorted(), ['Ann', 'Bob', 'Robert']);
  });

  it('stays unknown when the model fails', async (t) => {
    const { likes, failures } = await liken(t, [found('Bob')], fails('server-error'));
    assert.deepEqual([likes, failures], [[undefined], ['entities embedding']]);
    await assert.rejects(liken(t, [found('Bob')], fails('server-error'), true), isModelAway);
  });
});
