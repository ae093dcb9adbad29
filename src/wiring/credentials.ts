import type { Config } from '../config.ts';
import { providerCredentialsUpdated } from '../events/credentials.ts';
import { Credentials } from '../gateways/credentials/credentials.ts';
import type { Logger } from '../logger.ts';
import type { Topics } from './topics.ts';

/** Another process on the same data directory may change the stored keys; it says so through the log. */
export function openCredentials(config: Config, topics: Topics, log: Logger): Credentials {
  const credentials = new Credentials({
    directory: config.SERVICE_DATA_DIR,
    secret: config.SERVICE_CREDENTIAL_SECRET,
    salt: config.SERVICE_CREDENTIAL_SALT,
    enforceSalt: config.NODE_ENV === 'production',
  });
  const complain = (error: Error) => log.warn({ reason: error.message }, 'stored provider keys are not used');
  credentials.check().catch(complain);
  topics.on(providerCredentialsUpdated, () => void credentials.check().catch(complain));
  return credentials;
}
