import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { localUrl } from '../rest/certificate.ts';
import { keepSecret } from './secrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface ReadLeniently {
  /** As good as it can be read: a variable that is wrong counts as not set. */
  readonly config: Config;
  /** One line per bad variable. */
  readonly configProblems: readonly string[];
}

/** The service that the environment describes, also where that is wrong. */
export function ownService(
  environment: Environment = process.env,
): ReadLeniently & { readonly url: string; readonly apiKey: string | undefined } {
  const read = readLeniently(environment);
  const { config } = read;
  const { HEALTH_PORT, SERVICE_API_KEY: apiKey } = config;
  if (apiKey !== undefined) keepSecret(apiKey);
  trustOwnCertificate(config);
  return { ...read, url: localUrl(config, HEALTH_PORT || USUAL_PORT), apiKey };
}

/** Of any free port, nobody knows which it was. */
const USUAL_PORT = 4102;

/** Signed by nobody else, perhaps: but the files that this environment names are those of this very service. */
function trustOwnCertificate({ SERVICE_TLS_CERT }: Config): void {
  if (SERVICE_TLS_CERT === undefined) return;
  try {
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(SERVICE_TLS_CERT, 'utf8')]);
  } catch {
    // What is wrong with the file is for the start to tell; here, the connection is refused.
  }
}

function readLeniently(environment: Environment): ReadLeniently {
  try {
    return { config: readConfig(environment), configProblems: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const bad = new Set(error.problems.map((problem) => problem.split(':')[0]));
    const rest = Object.fromEntries(Object.entries(environment).filter(([name]) => !bad.has(name)));
    return { config: readRest(rest), configProblems: error.problems };
  }
}

/** Variables that are each right may still not go together: then none of them counts. */
function readRest(environment: Environment): Config {
  try {
    return readConfig(environment);
  } catch {
    return readConfig({});
  }
}
