import { z } from 'zod';
import { isLoopback } from '../../../config.ts';
import { type Check, type CheckResult, fail, ok, type Patient, warn } from './check.ts';
import { keyOf, walk, whyAway } from './walk.ts';

/** Nobody's: names that end in this belong to nobody. */
const ELSEWHERE = 'hark-doctor.invalid';
const FOREIGN = { origin: `https://${ELSEWHERE}` } as const;

const statusShape = z.looseObject({
  claimRequired: z.boolean(),
  steps: z.array(z.looseObject({ id: z.string(), state: z.string() })),
});
const tokenShape = z.looseObject({ token: z.string() });

/** The way of a browser that sets hark up: page, origin, host, token, claim. Changes nothing. */
export const browserCheck: Check = {
  name: 'browser',
  async run(patient) {
    const { url } = patient.service;
    if ((await whyAway(url)) !== undefined) return [];
    return [
      await page(url),
      ...(await hosts(patient)),
      ...(await origins(patient)),
      ...(await claim(patient)),
    ];
  },
};

async function page(url: string): Promise<CheckResult> {
  const { status } = await walk(url, '/', { headers: { 'sec-fetch-site': 'none' } });
  return status === 200
    ? ok(`the page at ${url}/ is there`)
    : fail(`the page at ${url}/ answers ${status}`, REINSTALL);
}

const REINSTALL = 'Install hark again: files of its pages are missing';

/** A page that points its own name here would else read everything (DNS rebinding). */
async function hosts({ service: { url }, config }: Patient): Promise<readonly CheckResult[]> {
  const { status } = await walk(url, '/health', { headers: { host: ELSEWHERE } });
  if (status === 421) return [ok('other host names than its own are refused')];
  if (config.SERVICE_API_KEY !== undefined || config.CORS_ORIGIN.trim() === '*')
    return [ok('it answers to any host name, as it may with a key')];
  return [
    warn(
      `it answers ${status} to host names that are not its own`,
      'Unset SERVICE_HOST, or set SERVICE_API_KEY',
    ),
  ];
}

async function origins({ service, config }: Patient): Promise<readonly CheckResult[]> {
  const { url } = service;
  const findings: CheckResult[] = [];
  const own = await walk(url, '/api/setup/status', {
    headers: { ...keyOf(service), origin: new URL(url).origin },
  });
  if (own.status === 200) findings.push(ok('pages of its own may ask'));
  else if (own.status === 401)
    findings.push(warn('it wants a key', 'Give it with --api-key, HARK_API_KEY or SERVICE_API_KEY'));
  else
    findings.push(
      fail(`its own page is answered ${own.status}`, 'See what a proxy in between makes of Host and Origin'),
    );
  const foreign = await walk(url, '/api/setup/status', { headers: { ...keyOf(service), ...FOREIGN } });
  if (foreign.status === 403) findings.push(ok('pages of other sites may not'));
  else
    findings.push(
      warn(
        `a page of another site is answered ${foreign.status}`,
        'Name the origins in CORS_ORIGIN in place of *',
      ),
    );
  for (const origin of config.CORS_ORIGIN.split(',').map((one) => one.trim())) {
    if (origin === '*' || !config.fromEnvironment.has('CORS_ORIGIN')) continue;
    const asked = { origin, 'access-control-request-method': 'POST' };
    const { headers } = await walk(url, '/api/chat', { method: 'OPTIONS', headers: asked });
    if (headers['access-control-allow-origin'] === origin) findings.push(ok(`pages of ${origin} may ask`));
    else
      findings.push(
        fail(
          `pages of ${origin} are refused`,
          'Start hark again: it has another CORS_ORIGIN than this environment',
        ),
      );
  }
  return findings;
}

/** With the state that the step has already, so that nothing is said. */
async function claim({ service, config }: Patient): Promise<readonly CheckResult[]> {
  const { url } = service;
  const origin = { origin: new URL(url).origin };
  const known = statusShape.safeParse(
    (await walk(url, '/api/setup/status', { headers: keyOf(service) })).body,
  );
  if (!known.success) return [];
  const { claimRequired, steps } = known.data;
  const state = steps.find(({ id }) => id === 'reach')?.state;
  const step = { method: 'PUT', body: { state } } as const;
  const without = await walk(url, '/api/setup/steps/reach', { ...step, headers: origin });
  if (without.status !== 401)
    return [fail(`the setup can be changed without a claim (${without.status})`, 'Tell us: see SECURITY.md')];
  if (!claimRequired) return [ok('the setup asks for the key')];
  const foreign = await walk(url, '/api/setup-token', { method: 'POST', body: {}, headers: FOREIGN });
  if (foreign.status !== 403)
    return [
      fail(`a page of another site is given a setup token (${foreign.status})`, 'Tell us: see SECURITY.md'),
    ];
  const made = await walk(url, '/api/setup-token', { method: 'POST', body: {}, headers: origin });
  const token = tokenShape.safeParse(made.body).data?.token;
  if (token === undefined)
    return isLoopback(new URL(url).hostname) && isLoopback(config.SERVICE_HOST)
      ? [
          fail(
            `no setup token is given on this machine (${made.status})`,
            'Ask it directly, not through a proxy',
          ),
        ]
      : [ok('setup tokens are for the machine that hark runs on')];
  const claimed = await walk(url, '/api/setup/steps/reach', {
    ...step,
    headers: { ...origin, 'x-setup-token': token },
  });
  if (claimed.status === 503)
    return [warn('the setup is not kept: there is no store', 'See what is said of the service')];
  return claimed.status === 200
    ? [ok('with a setup token, and not without, it can be set up')]
    : [
        fail(
          `a setup token is refused (${claimed.status})`,
          'Start hark again; if that changes nothing, tell us',
        ),
      ];
}
