import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, minifySync } from 'vite';
import { readConfig } from '../src/config.ts';
import { createLogger } from '../src/logger.ts';
import { startService } from '../src/wiring/service.ts';
import { operationTypes } from './dashboard/operationTypes.ts';

/*
 * npm run dashboard [-- --types]: builds the page of `dashboard/` into `dist/dashboard`, with the types of its client
 * made from the operations, and each file compressed beside it. With --types nothing but those types.
 */

const root = join(import.meta.dirname, '..');
const types = join(root, 'dashboard/src/api/operations.d.ts');
const built = join(root, 'dist/dashboard');

/** What compresses well and is worth the second file. */
const TEXTS = new Set(['.js', '.css', '.svg', '.webmanifest', '.json']);
const LEAST_BYTES = 400;

// Whoever asks for it, a test too: what is built is what people get.
process.env.NODE_ENV = 'production';

await writeTypes();
if (!process.argv.includes('--types')) {
  await build({ configFile: join(root, 'dashboard/vite.config.ts'), logLevel: 'warn' });
  preloadFirst();
  minify(join(built, 'offline.js'));
  for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !TEXTS.has(extname(file))) continue;
    const bytes = readFileSync(file);
    if (bytes.length < LEAST_BYTES) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
process.exit(0);

/** What is copied as it is keeps its comments. */
function minify(file: string): void {
  writeFileSync(file, minifySync(file, readFileSync(file, 'utf8')).code);
}

/** Has the browser ask at once for what the first page will ask for: one after the other it would take longer. */
function preloadFirst(): void {
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
    readFileSync(join(built, '.vite/manifest.json'), 'utf8'),
  );
  const page = join(built, 'index.html');
  const text = readFileSync(page, 'utf8');
  const first = ['src/pages/chat/chat.tsx', 'src/words/around.en.ts', 'src/words/en.ts'];
  const chunks = first
    .flatMap((name) => [name, ...(manifest[name]?.imports ?? [])])
    .map((name) => manifest[name]);
  const files = new Set(chunks.flatMap((chunk) => [chunk?.file ?? [], chunk?.css ?? []].flat()));
  const links = [...files].filter((file) => !text.includes(file)).map((file) => linkTo(`/${file}`));
  writeFileSync(
    page,
    text.replace('</head>', () => `${links.join('')}</head>`),
  );
}

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

function linkTo(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="${file}" />`
    : `<link rel="modulepreload" href="${file}" />`;
}

/** By a service that is started for this, and asked nothing. */
async function writeTypes(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hark-dashboard-'));
  const ports = { HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0' };
  const config = readConfig({ ...ports, SERVICE_DATA_DIR: folder, SERVICE_MDNS_ENABLED: 'false' });
  const service = await startService(config, createLogger('fatal'));
  try {
    mkdirSync(join(types, '..'), { recursive: true });
    writeFileSync(types, operationTypes(service.operations));
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
