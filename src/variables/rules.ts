import { isLoopback } from './addresses.ts';
import type { Config, Variable } from './all.ts';

/** What is wrong with one variable. */
export interface BadVariable {
  readonly variable: string;
  readonly message: string;
}

/** A rule on several variables together. */
interface Rule {
  /** Where one of these is bad in itself, the rule says nothing. */
  readonly on: readonly Variable[];
  broken(config: Config): BadVariable | undefined;
}

const rules: readonly Rule[] = [
  {
    on: ['SERVICE_HOST', 'SERVICE_API_KEY', 'SERVICE_ALLOW_OPEN'],
    broken: ({ SERVICE_HOST, SERVICE_API_KEY, SERVICE_ALLOW_OPEN }) =>
      isLoopback(SERVICE_HOST) || SERVICE_API_KEY || SERVICE_ALLOW_OPEN
        ? undefined
        : {
            variable: 'SERVICE_API_KEY',
            message: 'required when SERVICE_HOST is not a loopback address; or set SERVICE_ALLOW_OPEN=true',
          },
  },
  {
    on: ['CORS_ORIGIN', 'SERVICE_API_KEY'],
    broken: ({ CORS_ORIGIN, SERVICE_API_KEY }) =>
      CORS_ORIGIN.trim() !== '*' || SERVICE_API_KEY
        ? undefined
        : {
            variable: 'CORS_ORIGIN',
            message: '* requires SERVICE_API_KEY: without a key any web page could send any request',
          },
  },
  differentPorts('HEALTH_PORT', 'MCP_PORT'),
  differentPorts('HEALTH_PORT', 'AUDIO_PORT'),
  differentPorts('MCP_PORT', 'AUDIO_PORT'),
  {
    on: ['SERVICE_TEST_NOW', 'NODE_ENV'],
    broken: ({ SERVICE_TEST_NOW, NODE_ENV }) =>
      SERVICE_TEST_NOW === undefined || NODE_ENV === 'test'
        ? undefined
        : { variable: 'SERVICE_TEST_NOW', message: 'allowed only with NODE_ENV=test' },
  },
  {
    on: ['SERVICE_TLS_CERT', 'SERVICE_TLS_KEY'],
    broken: ({ SERVICE_TLS_CERT: cert, SERVICE_TLS_KEY: key }) => {
      if ((cert === undefined) === (key === undefined)) return undefined;
      const [variable, other] = cert
        ? ['SERVICE_TLS_KEY', 'SERVICE_TLS_CERT']
        : ['SERVICE_TLS_CERT', 'SERVICE_TLS_KEY'];
      return { variable, message: `required with ${other}` };
    },
  },
  { on: ['NODE_ENV', 'SERVICE_CREDENTIAL_SALT', 'SERVICE_CREDENTIAL_SECRET'], broken: saltProblem },
];

type PortVariable = 'HEALTH_PORT' | 'MCP_PORT' | 'AUDIO_PORT';

/** Of two equal ports the one to blame is the one that was set, and the later of two. */
function differentPorts(one: PortVariable, other: PortVariable): Rule {
  return {
    on: [one, other],
    broken(config) {
      if (config[one] === 0 || config[one] !== config[other]) return undefined;
      const [variable, taken] = config.fromEnvironment.has(other) ? [other, one] : [one, other];
      return { variable, message: `must differ from ${taken}, which is ${config[taken]} too; or be 0` };
    },
  };
}

/** What cannot be together, of what is not bad in itself. */
export function contradictions(config: Config, bad: ReadonlySet<string>): BadVariable[] {
  return rules
    .filter(({ on }) => !on.some((variable) => bad.has(variable)))
    .flatMap((rule) => rule.broken(config) ?? []);
}

/**
 * In production no salt is made up: without one here, and without one that lies in the data directory already, no
 * provider key can be stored. That alone ends no start, since keys may come from the environment.
 */
function saltProblem({
  NODE_ENV,
  SERVICE_CREDENTIAL_SALT: salt,
  SERVICE_CREDENTIAL_SECRET: secret,
}: Config): BadVariable | undefined {
  if (NODE_ENV !== 'production') return undefined;
  const variable = 'SERVICE_CREDENTIAL_SALT';
  if (salt === undefined)
    return secret === undefined
      ? undefined
      : { variable, message: 'required with SERVICE_CREDENTIAL_SECRET in production' };
  const message = 'must be 32 bytes in production, in hexadecimal digits (openssl rand -hex 32) or base64';
  return isOf32Bytes(salt) ? undefined : { variable, message };
}

function isOf32Bytes(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text) || /^[A-Za-z0-9+/]{43}=?$/.test(text);
}
