import { count, facts, flag, providerKey, text, webUrl } from './kinds.ts';

/** Of the providers of models: their keys and addresses, and their catalogs. */
export const modelVariables = {
  ANTHROPIC_API_KEY: providerKey.optional().register(facts, { secret: true, about: 'Key of cloud-a' }),
  ANTHROPIC_BASE_URL: webUrl.optional().register(facts, { about: 'Base URL of cloud-a' }),
  OPENAI_API_KEY: providerKey.optional().register(facts, { secret: true, about: 'Key of cloud-b' }),
  OPENAI_BASE_URL: webUrl.optional().register(facts, { about: 'Base URL of cloud-b' }),
  OPENROUTER_API_KEY: providerKey.optional().register(facts, { secret: true, about: 'Key of gateway' }),
  OPENROUTER_BASE_URL: webUrl.optional().register(facts, { about: 'Base URL of gateway' }),
  OLLAMA_HOST: webUrl.default('http://127.0.0.1:11434').register(facts, { about: 'Address of local-runner' }),
  SERVICE_CREDENTIAL_SECRET: text.optional().register(facts, {
    secret: true,
    about: 'Machine secret of the credential file: 32 bytes in hexadecimal digits or base64',
  }),
  SERVICE_CREDENTIAL_SALT: text.optional().register(facts, {
    secret: true,
    about: 'Salt of the credential file: 32 bytes in hexadecimal digits or base64',
  }),
  SERVICE_PROVIDER_CATALOG_CACHE_TTL_SECONDS: count.default(3_600).register(facts, {
    setting: 'providerCatalogCacheTtlSeconds',
    about: 'How long a fetched model catalog is used',
  }),
  SERVICE_PROVIDER_CATALOG_AUTO_REFRESH: flag.default(true).register(facts, {
    setting: 'providerCatalogAutoRefresh',
    restart: true,
    about: 'Fetches the model catalog again when it is too old',
  }),
};
