import type { ScriptedModels } from '../../../src/demo/model/scriptedModels.ts';

/** All four providers are configured, and it is the scripted models that answer for them. */
export function providersAt(models: ScriptedModels): Record<string, string> {
  return {
    ANTHROPIC_API_KEY: 'key-of-cloud-a',
    ANTHROPIC_BASE_URL: models.url('cloud-a'),
    OPENAI_API_KEY: 'key-of-cloud-b',
    OPENAI_BASE_URL: models.url('cloud-b'),
    OPENROUTER_API_KEY: 'key-of-gateway',
    OPENROUTER_BASE_URL: models.url('gateway'),
    OLLAMA_HOST: models.url('local-runner'),
  };
}
