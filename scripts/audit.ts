import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';

/*
 * Known vulnerabilities of what is shipped, which is everything but what only development needs. Ends with 1 where there
 * is one, and with 75 where the registry could not be asked: then nothing is known.
 */

const COULD_NOT = 75;
const LONGEST_MS = 20_000;

const advisory = z.looseObject({ title: z.string(), url: z.string(), severity: z.string() });
const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({ severity: z.string(), range: z.string(), via: z.array(z.union([z.string(), advisory])) }),
  ),
});

const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0'], {
  cwd: join(import.meta.dirname, '..'),
  encoding: 'utf8',
  timeout: LONGEST_MS,
});
const answer = jsonOf(stdout);
const found = report.safeParse(answer);

if (!found.success) {
  console.log(`The registry could not be asked: ${error?.message ?? reasonIn(answer)}`);
  process.exitCode = COULD_NOT;
} else {
  const vulnerable = Object.entries(found.data.vulnerabilities);
  for (const [name, { severity, range, via }] of vulnerable) {
    console.log(`${name} ${range}: ${severity}`);
    for (const one of via)
      console.log(`  ${typeof one === 'string' ? `through ${one}` : `${one.title} ${one.url}`}`);
  }
  if (vulnerable.length === 0) console.log('Nothing is known of what is shipped');
  else process.exitCode = 1;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonIn(answer: unknown): string {
  const told = z.object({ message: z.string() }).safeParse(answer);
  // Where it lies is the machine's own business.
  return told.success ? told.data.message.replace(/ - \w+ http.*$/s, '') : 'it said nothing of use';
}
