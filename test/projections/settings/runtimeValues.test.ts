import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { configChanged } from '../../../src/events/settings.ts';
import { effectiveSettings, runtimeValues } from '../../../src/projections/settings/runtimeValues.ts';
import { viewAfter } from '../../support/viewAfter.ts';

const changed = (changes: Readonly<Record<string, string | number | boolean | null>>) => ({
  type: configChanged.type,
  data: { changes },
});

describe('a setting', () => {
  const config = readConfig({ SERVICE_AGENT_MAX_STEPS: '33' });
  const effective = async (...events: readonly ReturnType<typeof changed>[]) =>
    effectiveSettings(config, await viewAfter(runtimeValues, ...events));

  it('is what it was changed to last, else what the environment says, else the default', async () => {
    const start = await effective();
    assert.deepEqual(start.agentMaxSteps, { value: 33, source: 'env', restart: false });
    assert.deepEqual(start.memoryTokenBudget, { value: 1_500, source: 'default', restart: false });
    const later = await effective(
      changed({ agentMaxSteps: 7, memoryTokenBudget: 1 }),
      changed({ agentMaxSteps: 8, memoryTokenBudget: null }),
    );
    assert.deepEqual(later.agentMaxSteps, { value: 8, source: 'runtime', restart: false });
    assert.deepEqual(later.memoryTokenBudget, start.memoryTokenBudget);
  });

  it('may be off, which is a value like any other', async () => {
    const view = await effective(changed({ providerCatalogAutoRefresh: false }));
    assert.deepEqual(view.providerCatalogAutoRefresh, { value: false, source: 'runtime', restart: true });
  });
});
