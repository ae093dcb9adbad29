import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Locator } from 'playwright-core';

/** What is another one in each run: ids, measures of this machine, and places in the log. */
const VARIES: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b/g, '‹id›'],
  [/\b[\d.,]+ (?:ms|sec|min|kB|MB|GB)\b/g, '‹measure›'],
  [/(definition: )"\d+"/g, '$1‹measure›'],
  // Places in the log: what is done in the background comes between.
  [/(- text: )"\d+"/g, '$1‹place›'],
  [/\b([Ee]vent |before=|event=)\d+/g, '$1‹place›'],
  [/(listitem "[\w.]+: )\d+/g, '$1‹place›'],
  [/(Searched events )\d+ to \d+/g, '$1‹places›'],
];

/**
 * What a screen reader finds there, as it was when somebody last looked at it; a difference is printed line by line.
 * `UPDATE_SNAPSHOTS=1` writes what is there now.
 */
export async function assertAria(where: Locator, file: string): Promise<void> {
  const found = await ariaOf(where);
  if (process.env.UPDATE_SNAPSHOTS) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, found);
    return;
  }
  assert.equal(
    found,
    readFileSync(file, 'utf8'),
    `${file} says something else; UPDATE_SNAPSHOTS=1 writes it`,
  );
}

export async function ariaOf(where: Locator): Promise<string> {
  const found = VARIES.reduce((text, [what, name]) => text.replace(what, name), await where.ariaSnapshot());
  return `${found}\n`;
}
