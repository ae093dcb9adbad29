import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { wyomingHost } from '../../../config.ts';
import { directoryHolder } from '../../../store/sqlite/directoryLock.ts';
import { askStatus } from '../commands/status.ts';
import { counted, showDuration } from '../output.ts';
import { RequestFailure, RestClient } from '../restClient.ts';
import { type Check, type CheckResult, fail, ok, type Patient, warn } from './check.ts';

const OLDEST_NODE = 24;

export const runtimeCheck: Check = {
  name: 'runtime',
  run() {
    const { node } = process.versions;
    if (Number.parseInt(node, 10) >= OLDEST_NODE) return [ok(`Node ${node}`)];
    return [fail(`Node ${node} is too old`, `Install Node ${OLDEST_NODE} or newer, or run: npm ci`)];
  },
};

export const configurationCheck: Check = {
  name: 'configuration',
  run({ config, configProblems, service }) {
    if (configProblems.length > 0)
      return configProblems.map((problem) => fail(problem, 'Set the variable as it says, or unset it'));
    const valid = ok(`valid, ${counted(config.fromEnvironment.size, 'variable')} set by the environment`);
    const sent = service.apiKey;
    if (sent === undefined || config.SERVICE_API_KEY === undefined || sent === config.SERVICE_API_KEY)
      return [valid];
    const message =
      'commands send another key (--api-key, HARK_API_KEY) than the service wants (SERVICE_API_KEY)';
    return [valid, warn(message, 'Unset HARK_API_KEY, or set it to the key of the service')];
  },
};

type Answer = Awaited<ReturnType<typeof askStatus>> | RequestFailure;

/** A port that is taken is well only when it is this hark that took it. */
export const portsCheck: Check = {
  name: 'ports',
  async run(patient) {
    const { HEALTH_PORT, MCP_PORT, AUDIO_PORT, WYOMING_PORT, SERVICE_HOST: host } = patient.config;
    const wyoming =
      WYOMING_PORT === undefined
        ? []
        : [{ variable: 'WYOMING_PORT', port: WYOMING_PORT, host: wyomingHost(patient.config) }];
    const ports = Object.entries({ HEALTH_PORT, MCP_PORT, AUDIO_PORT });
    const looked = [...ports.map(([variable, port]) => ({ variable, port, host })), ...wyoming];
    const states = await Promise.all(
      looked.map(async ({ variable, port, host }) => ({ variable, port, why: await whyTaken(port, host) })),
    );
    const isOurs = patient.place.url !== 'embedded' || isUsed(patient.place.dataDirectory);
    const served = states.some(({ why }) => why === 'EADDRINUSE')
      ? await servedPorts(patient)
      : new Set<number>();
    return states.map(({ variable, port, why }) => {
      if (!served.has(port)) return describePort(variable, port, why);
      return describePort(variable, port, isOurs ? 'ours' : 'another hark');
    });
  },
};

export const serviceCheck: Check = {
  name: 'service',
  async run({ service }) {
    const answer = await ask(service);
    if (!(answer instanceof RequestFailure)) return describeHealth(service.url, answer);
    if (answer.status === 0) return [ok(`hark is not running at ${service.url}`)];
    return [warn(`${service.url} answers ${answer.message}`, 'See its log; or give --url and --api-key')];
  },
};

function describePort(variable: string, port: number, why: string | undefined): CheckResult {
  if (port === 0) return ok(`${variable} 0: any free port`);
  if (why === undefined) return ok(`${variable} ${port} is free`);
  if (why === 'ours') return ok(`${variable} ${port} is served by the running hark`);
  const mend = `Set ${variable} to another port, or 0 for any free one`;
  if (why === 'another hark')
    return fail(`${variable} ${port} is served by a hark that uses another data directory`, mend);
  if (why === 'EADDRINUSE') return fail(`${variable} ${port} is used by another program`, mend);
  return fail(`${variable} ${port} cannot be used (${why})`, mend);
}

function describeHealth(url: string, { health, services }: Exclude<Answer, RequestFailure>): CheckResult[] {
  const line = `${url}: hark ${health.version}, ${services.status}, up ${showDuration(health.uptime)}`;
  const ailing = Object.entries(services.services).filter(([, { status }]) => status === 'unhealthy');
  return [
    ok(line),
    ...(health.notice === undefined ? [] : [ok(health.notice)]),
    ...ailing.map(([name]) => warn(`${name} is unhealthy`, `See what it says: GET ${url}/health/${name}`)),
  ];
}

async function ask(service: Patient['service']): Promise<Answer> {
  try {
    return await askStatus(new RestClient(service));
  } catch (error) {
    if (error instanceof RequestFailure) return error;
    throw error;
  }
}

async function servedPorts({ service }: Patient): Promise<ReadonlySet<number>> {
  const answer = await ask(service);
  if (answer instanceof RequestFailure) return new Set();
  return new Set(Object.values(answer.info.ports).filter((port) => port !== null));
}

function isUsed(dataDirectory: string): boolean {
  return existsSync(dataDirectory) && directoryHolder(dataDirectory) !== undefined;
}

/** `undefined` when the port is free; it is held for an instant to find out. */
function whyTaken(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
