import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import type { Asking } from '../../../src/application/models.ts';
import { exhaustBilling } from '../../../src/commands/providers/billing.ts';
import { refreshCatalog } from '../../../src/commands/providers/catalog.ts';
import { says } from '../../../src/demo/model/script.ts';
import { isHarkError } from '../../../src/errors.ts';
import type { CatalogModel, ModelRef } from '../../../src/events/providers.ts';
import { BACKUP, CLOUD, Routing } from '../../support/models/routing.ts';

const image = { type: 'image', mimeType: 'image/png', base64: 'iVBORw0KGgo=' } as const;
const messages = [{ role: 'user', parts: [{ type: 'text', text: 'What is this?' }, image] }] as const;

async function routingOf(test: TestContext, ...seeing: readonly ModelRef[]): Promise<Routing> {
  const routing = await Routing.start(test);
  await routing.chain('cloud-backup', CLOUD, BACKUP);
  for (const ref of [CLOUD, BACKUP]) {
    const models = [modelOf(ref, seeing.includes(ref))];
    const input = { providerId: ref.provider, latencyMs: 1, models };
    await routing.runner.run(refreshCatalog, input, routing.context);
  }
  routing.models.script(says('A cat'));
  return routing;
}

function modelOf({ model: id }: ModelRef, sees: boolean): CatalogModel {
  const capabilities: CatalogModel['capabilities'] = sees ? ['chat', 'vision'] : ['chat'];
  const unknown = { contextLength: null, maxOutputTokens: null, pricing: null, deprecatedAt: null };
  return { id, name: id, capabilities, ...unknown };
}

async function show({ router }: Routing, withImages: boolean): Promise<string | undefined> {
  const asking: Asking = {
    slot: 'chat',
    withImages,
    correlationId: 'test',
    signal: AbortSignal.timeout(20_000),
  };
  for await (const part of router.complete(asking, { messages }))
    if (part.type === 'routed') return part.provider;
  return undefined;
}

describe('an image', () => {
  it('goes to the first model of the slot that sees', async (t) => {
    const routing = await routingOf(t, BACKUP);
    assert.equal(await show(routing, true), 'cloud-b');
    assert.equal(await routing.router.seesImages('chat'), true);
  });

  it('goes to a backup that sees where credit is used up', async (t) => {
    const routing = await routingOf(t, BACKUP);
    await routing.chain('cloud-backup', CLOUD);
    assert.equal(await routing.router.seesImages('chat'), false);
    const { credential } = (await routing.clients.clientFor(CLOUD.provider)) ?? {};
    const exhausted = { providerId: CLOUD.provider, credential: credential ?? '', model: null };
    await routing.runner.run(exhaustBilling, exhausted, routing.context);
    assert.equal(await routing.router.seesImages('chat'), true);
    assert.equal(await show(routing, true), 'cloud-b');
  });

  it('is refused when no model of the slot sees', async (t) => {
    const routing = await routingOf(t);
    assert.equal(await routing.router.seesImages('chat'), false);
    await assert.rejects(show(routing, true), (error) => isHarkError(error, 'IMAGES_NOT_SEEN'));
    assert.equal(routing.models.requests.length, 0);
  });

  it('of an earlier turn is left out towards a model that does not see', async (t) => {
    const routing = await routingOf(t, BACKUP);
    assert.equal(await show(routing, false), 'cloud-a');
    const { body } = await routing.models.request(1);
    assert.doesNotMatch(JSON.stringify(body), /iVBORw0KGgo/);
    assert.match(JSON.stringify(body), /An image that you cannot see/);
  });
});
