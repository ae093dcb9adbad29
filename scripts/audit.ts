import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/*
 * Known vulnerabilities of what is shipped, which is everything but what only development needs, and packages of it
 * that are not as the registry has signed them. Ends with 1 where there is one, and with 75 where nobody could be asked:
 * then nothing is known. The keys of signatures come from Sigstore, and not from the registry, which might be lying.
 */

const COULD_NOT = 75;
const LONGEST_MS = 60_000;

const advisory = z.looseObject({ title: z.string(), url: z.string(), severity: z.string() });
const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({ severity: z.string(), range: z.string(), via: z.array(z.union([z.string(), advisory])) }),
  ),
});
const unsigned = z.array(z.object({ name: z.string(), version: z.string(), message: z.string().optional() }));
const signatures = z.object({ invalid: unsigned, missing: unsigned });

/** What was found, a line each, or why nothing could be asked. */
type Found = { readonly lines: readonly string[] } | { readonly why: string };

const [vulnerable, forged] = await Promise.all([vulnerabilities(), wrongSignatures()]);
tell(vulnerable, 'Nothing is known of what is shipped', 'The registry could not be asked');
tell(forged, 'All that is shipped is signed by its registry', 'Signatures could not be looked at');

async function vulnerabilities(): Promise<Found> {
  const answer = await npm('audit');
  const told = report.safeParse(answer);
  if (!told.success) return { why: reasonIn(answer) };
  const lines = Object.entries(told.data.vulnerabilities).flatMap(([name, { severity, range, via }]) => [
    `${name} ${range}: ${severity}`,
    ...via.map((one) => `  ${typeof one === 'string' ? `through ${one}` : `${one.title} ${one.url}`}`),
  ]);
  return { lines };
}

async function wrongSignatures(): Promise<Found> {
  const answer = await npm('audit', 'signatures');
  const told = signatures.safeParse(answer);
  if (!told.success) return { why: reasonIn(answer) };
  const { invalid, missing } = told.data;
  const lines = [
    ...invalid.map(({ name, version, message = 'not as it was signed' }) => `${name} ${version}: ${message}`),
    ...missing.map(({ name, version }) => `${name} ${version}: not signed, by a registry that signs`),
  ];
  return { lines };
}

function tell(found: Found, nothing: string, unasked: string): void {
  if ('why' in found) {
    console.log(`${unasked}: ${found.why}`);
    process.exitCode ??= COULD_NOT;
  } else if (found.lines.length === 0) console.log(nothing);
  else {
    console.log(found.lines.join('\n'));
    process.exitCode = 1;
  }
}

/** What it prints as JSON; undefined where that is none. */
async function npm(...command: readonly string[]): Promise<unknown> {
  const child = spawn('npm', [...command, '--omit=dev', '--json', '--fetch-retries=0'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: LONGEST_MS,
  });
  const failed = new Promise<undefined>((resolve) => child.once('error', () => resolve(undefined)));
  const out = await Promise.race([text(child.stdout), failed]);
  try {
    return JSON.parse(out ?? '');
  } catch {
    return undefined;
  }
}

function reasonIn(answer: unknown): string {
  const failure = z.object({ error: z.object({ summary: z.string() }) }).safeParse(answer);
  const told = z.object({ message: z.string() }).safeParse(answer);
  const reason = told.success ? told.data.message : failure.success ? failure.data.error.summary : '';
  // Where it lies is the machine's own business.
  return (
    reason.replace(/ - \w+ http.*$/s, '').replace(/^request to \S+ failed, reason: /, '') ||
    'it said nothing of use'
  );
}
