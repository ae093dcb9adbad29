import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { shippedPackages } from './vendored.ts';

/** In the page that is built, and so shipped as well. */
const IN_THE_PAGE = [
  'preact',
  '@preact/signals',
  '@preact/signals-core',
  'preact-iso',
  'marked',
  'd3-force',
  'd3-dispatch',
  'd3-quadtree',
  'd3-timer',
];

/** What asks for no more than to be named. */
const ALLOWED =
  /^(?:MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|Zlib|Python-2\.0)$/;

const manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  license: z.union([z.string(), z.object({ type: z.string() })]).optional(),
});

export interface Licence {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Of the package itself; empty where it brings none. */
  readonly text: string;
  readonly isAllowed: boolean;
}

/** The licence of each package of others that is shipped, by name. */
export function licencesOf(root: string): readonly Licence[] {
  const places = new Set([
    ...shippedPackages(root),
    ...IN_THE_PAGE.map((name) => join('node_modules', name)),
  ]);
  return [...places]
    .map((place) => licenceIn(join(root, place)))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function licenceIn(folder: string): Licence {
  const { name, version, license } = manifest.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const licence = typeof license === 'object' ? license.type : (license ?? 'none named');
  const texts = globSync('{licen[cs]e,LICEN[CS]E,Licen[cs]e,copying,COPYING,notice,NOTICE}*', {
    cwd: folder,
  }).sort();
  const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  // Of several that are offered, one that is allowed is enough.
  const isAllowed = licence
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((one) => one.split(/ AND /i).every((part) => ALLOWED.test(part.trim())));
  return { name, version, licence, text, isAllowed };
}

/** As one text, to be shipped beside them. */
export function licenceFile(licences: readonly Licence[]): string {
  const parts = licences.map(
    ({ name, version, licence, text }) =>
      `${'='.repeat(72)}\n${name} ${version} (${licence})\n${'='.repeat(72)}\n\n${text || 'The package brings no text of its licence.'}\n`,
  );
  return `hark ships these packages of others, each under its own licence.\n\n${parts.join('\n')}`;
}
