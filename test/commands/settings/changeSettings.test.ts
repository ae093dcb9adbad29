import { describe, it } from 'vitest';
import { changeSettings } from '../../../src/commands/settings/changeSettings.ts';
import { configChanged } from '../../../src/events/settings.ts';
import { given } from '../../support/given.ts';

type Changes = Readonly<Record<string, string | number | boolean | null>>;

const changed = (changes: Changes) => ({ type: configChanged.type, data: { changes } });

describe('changing settings', () => {
  it('records what was changed, several settings in one event', () => {
    const changes = { memoryTokenBudget: 1_200, memorySearchMode: 'keyword', memoryQueryExpansion: true };
    given(changeSettings).when({ changes }).gives(changed(changes));
  });

  it('records nothing where a setting has that value already', () => {
    const before = changed({ memoryTokenBudget: 1_200, agentMaxSteps: 7 });
    given(changeSettings, before)
      .when({ changes: { memoryTokenBudget: 1_200 } })
      .givesNothing();
    given(changeSettings, before)
      .when({ changes: { memoryTokenBudget: 1_200, agentMaxSteps: 8 } })
      .gives(changed({ agentMaxSteps: 8 }));
  });

  it('puts a setting back with null, once', () => {
    const set = changed({ agentMaxSteps: 7 });
    const back = changed({ agentMaxSteps: null });
    given(changeSettings, set)
      .when({ changes: { agentMaxSteps: null } })
      .gives(back);
    given(changeSettings)
      .when({ changes: { agentMaxSteps: null } })
      .givesNothing();
    given(changeSettings, set, back)
      .when({ changes: { agentMaxSteps: null } })
      .givesNothing();
    given(changeSettings, set, back)
      .when({ changes: { agentMaxSteps: 7 } })
      .gives(set);
  });

  it('does nothing when nothing is to be changed', () => {
    given(changeSettings).when({ changes: {} }).givesNothing();
  });

  for (const [what, key, value] of [
    ['text for a number', 'memoryTokenBudget', '1200'],
    ['a fraction of a count', 'memoryTokenBudget', 1.5],
    ['a count of none', 'memoryTokenBudget', 0],
    ['more than there may be', 'agentMaxSteps', 201],
    ['no number', 'agentMaxSteps', Number.NaN],
    ['a number without end', 'memoryTokenBudget', Number.POSITIVE_INFINITY],
    ['a share above the whole', 'nliContradictionThreshold', 1.01],
    ['a word that is no mode', 'memorySearchMode', 'psychic'],
    ['a number for a switch', 'memoryQueryExpansion', 1],
    ['text for a switch', 'memoryQueryExpansion', 'true'],
    ['a list', 'agentMaxSteps', [7]],
    ['an object', 'memorySearchMode', { mode: 'keyword' }],
    ['nothing', 'agentMaxSteps', undefined],
    ['a setting that does not exist', 'memoryTokenBudgets', 1],
    ['the name of a variable', 'SERVICE_MEMORY_TOKEN_BUDGET', 1],
    ['a variable that is no setting', 'SERVICE_API_KEY', 'key'],
    ['a name that every object has', 'constructor', 1],
    ['the prototype', '__proto__', 1],
  ] as const) {
    it(`refuses ${what}, and with it the whole change`, () => {
      const changes = Object.fromEntries<unknown>([
        ['nliModelSize', 'small'],
        [key, value],
      ]);
      given(changeSettings).when({ changes }).isRefused('VALIDATION_FAILED');
    });
  }

  it('names every wrong setting of a change, and of a name that is not ours no more than it takes', () => {
    const long = 'x'.repeat(1_000);
    given(changeSettings)
      .when({ changes: { [long]: 1, memorySearchMode: 7, agentMaxSteps: 3 } })
      .isRefused('VALIDATION_FAILED', {
        issues: [
          { path: [long.slice(0, 64)], message: 'Unknown setting' },
          { path: ['memorySearchMode'], message: 'must be a text' },
        ],
      });
  });
});
