import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { ConfigError, readConfig } from '../../../config.ts';
import { readCertificate } from '../../rest/certificate.ts';
import { print, toned } from '../output.ts';
import { ask, choose, confirm } from '../prompt.ts';

const ENVIRONMENT_FILE = '.env';

interface Reach {
  readonly label: string;
  readonly is: 'local' | 'open' | 'later';
}

const STAY: Reach = { label: 'This machine alone, as it is now', is: 'local' };
const OPEN: Reach = { label: 'Other machines and devices too: a key, an address and TLS', is: 'open' };
const LATER: Reach = { label: 'Decide later', is: 'later' };

/** Who may ask: this machine alone, or others too, with a key. Takes effect with the next start. */
export async function chooseReach(hasKey: boolean): Promise<'done' | 'skipped'> {
  const choices = hasKey ? ([OPEN, LATER] as const) : ([STAY, OPEN, LATER] as const);
  const { is } = await choose<Reach>(choices);
  if (is === 'later') return 'skipped';
  if (is === 'open') await openUp(hasKey);
  return 'done';
}

async function openUp(hasKey: boolean): Promise<void> {
  const variables = new Map<string, string>();
  if (!hasKey) variables.set('SERVICE_API_KEY', randomBytes(32).toString('base64url'));
  variables.set('SERVICE_HOST', await chooseAddress());
  for (const [name, value] of await chooseCertificate()) variables.set(name, value);
  print('\n   The service needs these in its environment:\n');
  for (const [name, value] of variables) print(`     ${name}=${value}`);
  print('');
  if (await confirm(`Write them to ${ENVIRONMENT_FILE} in this folder, which a start here reads?`, true)) {
    writeEnvironment(variables);
    print(`   Written to ${ENVIRONMENT_FILE}, for you alone`);
  }
  print('   Then start hark again; hark doctor looks whether it can be reached.');
}

async function chooseAddress(): Promise<string> {
  const own = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).filter(({ family, internal }) => family === 'IPv4' && !internal),
  );
  const all = { label: 'All addresses of this machine (0.0.0.0)', address: '0.0.0.0' };
  const choices = own.map(({ address }) => ({ label: `${address} alone`, address }));
  return (await choose([all, ...choices])).address;
}

/** None is an answer too, and what that means is said. */
async function chooseCertificate(): Promise<readonly (readonly [string, string])[]> {
  print(
    toned('dim', '   Without TLS, whoever is on the network reads the key. `tailscale cert`, `mkcert` or'),
  );
  print(toned('dim', '   your own authority make a certificate; a reverse proxy with TLS does as well.'));
  for (;;) {
    const SERVICE_TLS_CERT = await ask('   Certificate, a PEM file (Enter: none): ');
    if (SERVICE_TLS_CERT === '') return [];
    const SERVICE_TLS_KEY = await ask('   Its private key, a PEM file: ');
    try {
      const config = readConfig({ SERVICE_TLS_CERT, SERVICE_TLS_KEY });
      readCertificate(config);
      return [
        ['SERVICE_TLS_CERT', config.SERVICE_TLS_CERT ?? ''],
        ['SERVICE_TLS_KEY', config.SERVICE_TLS_KEY ?? ''],
      ];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems) print(`   ${problem}`);
    }
  }
}

/** What stood there of other variables stays; readable for its owner alone from its first byte on. */
function writeEnvironment(variables: ReadonlyMap<string, string>): void {
  const before = existsSync(ENVIRONMENT_FILE) ? readFileSync(ENVIRONMENT_FILE, 'utf8') : '';
  const kept = before
    .split('\n')
    .filter((line) => !variables.has(/^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? ''));
  const lines = [...kept.join('\n').trimEnd().split('\n').filter(Boolean), ...Array.from(variables, quoted)];
  const file = `${ENVIRONMENT_FILE}.new`;
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  renameSync(file, ENVIRONMENT_FILE);
}

function quoted([name, value]: readonly [string, string]): string {
  return /^[\w./:@-]*$/.test(value) ? `${name}=${value}` : `${name}='${value}'`;
}
