import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { changeSettings } from '../../../src/commands/settings/changeSettings.ts';
import { readConfig, type SettingValue, settings } from '../../../src/config.ts';
import { isHarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { viewAt } from '../../../src/projections/runtime.ts';
import { effectiveSettings, runtimeValues } from '../../../src/projections/settings/runtimeValues.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { decide, fold, NOW } from '../../support/given.ts';

const config = readConfig({ SERVICE_AGENT_MAX_STEPS: '33' });
const startValues = new Map(Array.from(settings, ([key, { startValue }]) => [key, startValue(config)]));

/** What settings may be changed to, valid and not. */
const change = fc.dictionary(
  fc.constantFrom('agentMaxSteps', 'memorySearchMode', 'memoryQueryExpansion', 'nliContradictionThreshold'),
  fc.constantFrom<SettingValue | null>(null, 1, 33, 200, 201, 0.5, 'keyword', 'hybrid', true, false),
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
);

describe('the effective settings', () => {
  it.prop([fc.array(change, { maxLength: 10 })], { numRuns: 150 })(
    'after any changes are what folding them one by one gives, and so is the state that decides',
    async (changes) => {
      const log = await Log.open(new MemoryAdapter(), eventCatalog);
      const model = new Map(startValues);
      const history: NewEvent[] = [];
      for (const each of changes) {
        const events = accepted(history, each);
        if (!events) continue;
        for (const [key, value] of Object.entries(each)) model.set(key, value ?? startValues.get(key) ?? '');
        if (events.length > 0) await log.append({ ...envelope, events });
        history.push(...events);
      }
      const view = await viewAt(log, runtimeValues, await log.head());
      const effective = effectiveSettings(config, view);
      assert.deepEqual(
        Object.entries(effective).map(([key, { value }]) => [key, value]),
        [...model],
      );
      assert.deepEqual(view.values, fold(changeSettings.state, history));
      for (const [key, { source }] of Object.entries(effective))
        assert.equal(source === 'runtime', key in view.values, key);
      assert.equal(effective.agentMaxSteps?.source === 'env', !('agentMaxSteps' in view.values));
      await log.close();
    },
  );
});

const envelope = {
  stream: 'settings',
  expected: 'any',
  at: NOW,
  userId: null,
  correlationId: 'test',
  causationId: null,
} as const;

/** What follows, or undefined where the change is refused. */
function accepted(
  history: readonly NewEvent[],
  changes: Readonly<Record<string, SettingValue | null>>,
): readonly NewEvent[] | undefined {
  try {
    return decide(changeSettings, fold(changeSettings.state, history), { changes });
  } catch (error) {
    assert.ok(isHarkError(error, 'VALIDATION_FAILED'));
    return undefined;
  }
}
