import { Credentials } from '../../../gateways/credentials/credentials.ts';
import { ProviderClients } from '../../../gateways/models/clients.ts';
import type { FailureKind } from '../../../gateways/models/failure.ts';
import { tryGateway } from '../../../gateways/models/keyTrial.ts';
import { providerVariables } from '../../../providerVariables.ts';
import { type ProviderId, providerIds } from '../../../vocabulary.ts';
import { type Check, type CheckResult, fail, ok, warn } from './check.ts';

/** Asks each provider that has a key for something that costs and changes nothing. */
export const providersCheck: Check = {
  name: 'providers',
  async run({ config }) {
    const credentials = new Credentials({
      directory: config.SERVICE_DATA_DIR,
      secret: config.SERVICE_CREDENTIAL_SECRET,
      salt: config.SERVICE_CREDENTIAL_SALT,
      enforceSalt: config.NODE_ENV === 'production',
    });
    const clients = new ProviderClients({
      config,
      storedKeys: () => credentials.keys(),
      gateways: async () => (await import('../../../gateways/models/createGateway.ts')).createGateway,
    });
    const isMissed = config.fromEnvironment.has('OLLAMA_HOST');
    const findings = await Promise.all(
      providerIds.map((providerId) => examine(providerId, clients, isMissed)),
    );
    return [...(await unreadable(credentials)), ...findings];
  },
};

async function examine(
  providerId: ProviderId,
  clients: ProviderClients,
  isLocalRunnerMissed: boolean,
): Promise<CheckResult> {
  const client = await clients.clientFor(providerId);
  if (!client) return ok(`${providerId} has no key`);
  const { valid, error, kind } = await tryGateway(client.gateway, new AbortController().signal);
  if (valid && error === undefined) return ok(`${providerId} answers`);
  if (providerId === 'local-runner')
    return isLocalRunnerMissed
      ? fail(`${providerId}: ${error}`, 'start it (ollama serve), or set OLLAMA_HOST to where it runs')
      : ok(`${providerId} is not running`);
  return wrong(`${providerId}: ${error}`, providerVariables[providerId], kind);
}

function wrong(
  message: string,
  { key, url }: { readonly key: string; readonly url: string },
  kind: FailureKind | undefined,
): CheckResult {
  switch (kind) {
    case 'billing':
      return warn(message, 'add credit to the account; until then the fallbacks of its slots answer');
    case 'rate-limit':
    case 'overload':
      return warn(message, 'nothing: it ends by itself; until then the fallbacks of its slots answer');
    case 'network':
    case 'timeout':
    case 'malformed':
    case 'model-unknown':
      return fail(message, `check that this machine can reach the provider, and check ${url}`);
    default:
      return fail(message, `set ${key}, or store another key with POST /api/credentials`);
  }
}

async function unreadable(credentials: Credentials): Promise<readonly CheckResult[]> {
  try {
    await credentials.check();
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The stored keys cannot be read';
    return [fail(message, 'repair or remove the credentials file, then store the keys again')];
  }
}
