import type { Config } from '../config.ts';
import { providerCredentialsUpdated } from '../events/credentials.ts';
import { Credentials } from '../gateways/credentials/credentials.ts';
import { type KeyMaterialOptions, SecretBox } from '../gateways/credentials/secretBox.ts';
import type { Logger } from '../logger.ts';
import type { Topics } from './topics.ts';

/** Where the secret of this machine comes from. */
function secretOf(config: Config): KeyMaterialOptions {
  return {
    directory: config.SERVICE_DATA_DIR,
    secret: config.SERVICE_CREDENTIAL_SECRET,
    salt: config.SERVICE_CREDENTIAL_SALT,
    enforceSalt: config.NODE_ENV === 'production',
  };
}

/** What seals the secrets of webhooks and channels. */
export function secretBoxOf(config: Config): SecretBox {
  return new SecretBox(secretOf(config));
}

/** Another process on the same data directory may change the stored keys; it says so through the log. */
export function openCredentials(config: Config, topics: Topics, log: Logger): Credentials {
  const credentials = new Credentials(secretOf(config));
  const complain = (error: Error) => log.warn({ reason: error.message }, 'stored provider keys are not used');
  credentials.check().catch(complain);
  topics.on(providerCredentialsUpdated, () => void credentials.check().catch(complain));
  return credentials;
}
