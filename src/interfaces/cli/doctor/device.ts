import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { z } from 'zod';
import { isLoopback } from '../../../config.ts';
import { type Check, type CheckResult, fail, ok, type Patient, warn } from './check.ts';
import { keyOf, walk, whyAway } from './walk.ts';

const infoShape = z.looseObject({ ports: z.looseObject({ mcp: z.number().nullable() }) });
/** Of no device, with what is no secret. */
const NOBODY = { 'x-device-id': 'hark-doctor', 'x-device-secret': 'not-a-secret' } as const;

/** The way of a device: from where it would come, and with its own proof. Changes nothing. */
export const deviceCheck: Check = {
  name: 'device',
  async run(patient) {
    if ((await whyAway(patient.service.url)) !== undefined) return [];
    return [...(await addresses(patient)), ...(await proofs(patient)), await pairing(patient)];
  },
};

/** Each address of this machine from which others could reach it. */
async function addresses({ service, config }: Patient): Promise<readonly CheckResult[]> {
  const { SERVICE_HOST: host, SERVICE_TLS_CERT: certificate, SERVICE_API_KEY: key } = config;
  if (isLoopback(host))
    return [ok('it listens on this machine alone; hark setup opens it to devices elsewhere')];
  const base = new URL(service.url);
  const isAll = host === '0.0.0.0' || host === '::';
  const own = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).filter(({ internal }) => !internal),
  );
  const reached = isAll
    ? own.filter(({ family }) => family === 'IPv4').map(({ address }) => address)
    : [host];
  const found = await Promise.all(
    reached.map(async (address) => {
      base.hostname = address.includes(':') ? `[${address}]` : address;
      const url = base.origin;
      const why = await whyAway(url);
      if (why === undefined) return ok(`devices reach it at ${url}`);
      const isCertificate = /CERT|ALTNAME|SELF_SIGNED|VERIFY/.test(why);
      return isCertificate
        ? warn(
            `${url} is not in its certificate, or nobody vouches for that (${why})`,
            'Use a name that is in it',
          )
        : fail(`devices do not reach it at ${url} (${why})`, 'Look at the firewall of this machine');
    }),
  );
  const open = key === undefined ? [warn('anybody who reaches it may ask', 'Set SERVICE_API_KEY')] : [];
  const clear = 'what it says can be read on the network';
  const plain =
    certificate === undefined
      ? [warn(clear, 'Set SERVICE_TLS_CERT and SERVICE_TLS_KEY, or use a proxy')]
      : [];
  return [...found, ...open, ...plain];
}

async function proofs({ service }: Patient): Promise<readonly CheckResult[]> {
  const { url } = service;
  const findings: CheckResult[] = [];
  // Whatever else is shown, a device that is not known is nobody.
  const rest = await walk(url, '/api/system/info', { headers: { ...keyOf(service), ...NOBODY } });
  findings.push(refusal('the REST API', rest.status));
  const { body } = await walk(url, '/api/system/info', { headers: keyOf(service) });
  const port = infoShape.safeParse(body).data?.ports.mcp;
  if (port !== undefined && port !== null) {
    const tools = new URL(url);
    tools.port = String(port);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const headers = { ...keyOf(service), ...NOBODY, accept: 'application/json, text/event-stream' };
    const { status } = await walk(tools.origin, '/mcp', { method: 'POST', body: ping, headers });
    findings.push(refusal('the tool server', status));
  }
  return findings;
}

/** With a code that nobody made: one that counts would be used up. */
async function pairing({ service: { url } }: Patient): Promise<CheckResult> {
  const body = { type: 'custom', capabilities: {}, pairingCode: randomBytes(16).toString('base64url') };
  const { status } = await walk(url, '/api/devices/register', { method: 'POST', body });
  if (status === 403 || status === 429) return ok('a pairing code that nobody made lets no device in');
  if (status === 503)
    return warn('no device can be paired: there is no store', 'See what is said of the service');
  return fail(`a pairing code that nobody made is answered ${status}`, 'Tell us: see SECURITY.md');
}

function refusal(what: string, status: number): CheckResult {
  if (status === 401 || status === 429) return ok(`${what} refuses a device that it does not know`);
  return fail(`${what} answers a device that it does not know (${status})`, 'Tell us: see SECURITY.md');
}
