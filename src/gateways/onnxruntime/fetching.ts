import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { findCommand, runCommand } from '../machine/commands.ts';

interface Part {
  readonly name: string;
  readonly version: string;
  /** As the lock file has it. */
  readonly integrity: string;
  /** What of it is kept. */
  readonly keep: readonly string[];
}

/** The package with the libraries, of which one platform's are kept, and what it imports. */
export const parts: readonly Part[] = [
  {
    name: 'onnxruntime-node',
    version: '1.30.0',
    integrity:
      'sha512-twhs1C2C/BFkz1yc5OY0KIU2GUq6DURO7hD4bx5Q2Qy3nAMJwRXW8xU3NVczE29VA9lolLOYepoD8fjTGOfIqw==',
    keep: ['package.json', 'dist', `bin/napi-v6/${process.platform}/${process.arch}`],
  },
  {
    name: 'onnxruntime-common',
    version: '1.30.0',
    integrity:
      'sha512-7fdVWjAID1dVhH/G8qK3APARunV4VkBFoCQAP7qp4Wkab0mrorvmc+sqiT+mKXOzDqdjN5j+/Z9nb4gzNPWcyA==',
    keep: ['package.json', 'dist'],
  },
];

/** npm knows which registry to ask, and by which way. */
const NPM_SEES =
  /^(PATH|HOME|USERPROFILE|APPDATA|(no|https?)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|npm_config_.*)$/i;
const LONGEST_MS = 15 * 60_000;
const packedShape = z.array(z.object({ filename: z.string() })).length(1);

/** Why it could not be fetched, in words for whoever asked. */
class NotFetched extends Error {}

/** Fetches onnxruntime for this platform with npm, whole and checked, into a folder that appears when all is in it. */
export async function fetchOnnxruntime(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const coming = mkdtempSync(`${folder}.coming-`);
  try {
    for (const part of parts) await bring(part, coming);
    rmSync(folder, { recursive: true, force: true });
    renameSync(coming, folder);
  } finally {
    rmSync(coming, { recursive: true, force: true });
  }
}

async function bring({ name, version, integrity, keep }: Part, coming: string): Promise<void> {
  const said = await program('npm', [
    'pack',
    `${name}@${version}`,
    '--json',
    '--fetch-retries=1',
    '--pack-destination',
    coming,
  ]);
  const [packed] = packedShape.parse(JSON.parse(said));
  const archive = join(coming, basename(packed?.filename ?? ''));
  if (integrity !== `sha512-${await digestOf(archive)}`) throw new NotFetched(`${name} has a wrong checksum`);
  const place = join(coming, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  const members = keep.map((path) => `package/${path}`);
  await program('tar', ['-xzf', archive, '-C', place, '--strip-components=1', ...members]);
  rmSync(archive);
}

async function program(name: string, args: readonly string[]): Promise<string> {
  const file = findCommand(name) ?? findCommand(name, dirname(process.execPath));
  if (file === undefined) throw new NotFetched(`There is no ${name} here`);
  const { ok, stdout, stderr } = await runCommand(file, args, { timeoutMs: LONGEST_MS, passes: NPM_SEES });
  if (!ok) throw new NotFetched(`${name} failed: ${stderr.split('\n').at(-1) ?? ''}`);
  return stdout;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return hash.digest('base64');
}
