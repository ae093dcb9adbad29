import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'vitest';
import { loadGently } from '../../src/gateways/models/loadGently.ts';

/** Larger than the largest circle of modules in either SDK, and than OpenTelemetry's CommonJS, which comes as one. */
const MOST_AT_ONCE = 45;

for (const sdk of ['@anthropic-ai/sdk', 'openai'] as const) {
  test(`${sdk} is loaded in small steps, and wholly`, async (t) => {
    let loaded = 0;
    const hooks = registerHooks({
      load(url, context, next) {
        loaded++;
        return next(url, context);
      },
    });
    t.onTestFinished(() => hooks.deregister());
    let [before, most] = [0, 0];
    const count = () => {
      most = Math.max(most, loaded - before);
      before = loaded;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    await loadGently(sdk);
    clearImmediate(turn);
    assert.ok(loaded > 100, `${loaded} modules`);
    assert.ok(most <= MOST_AT_ONCE, `${most} modules in one step`);
    const all = loaded;
    await import(sdk);
    assert.equal(loaded, all);
  });
}
