import { readFileSync } from 'node:fs';

/** The version of the package that runs. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return '0.0.0';
  return String(manifest.version);
}
