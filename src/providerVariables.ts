/** The variables of the environment that say with which key, and where, each provider is asked. */
export const providerVariables = {
  'cloud-a': { key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' },
  'cloud-b': { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL' },
  gateway: { key: 'OPENROUTER_API_KEY', url: 'OPENROUTER_BASE_URL' },
  // It needs no key.
  'local-runner': { key: undefined, url: 'OLLAMA_HOST' },
} as const;
