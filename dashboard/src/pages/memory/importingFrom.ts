import { ask, type Input, type Output } from '../../api/ask.ts';

export type ImportReport = Output<'POST /api/memory/import'>;
type Source = Input<'POST /api/memory/import'>['source'];

/** Where memory may come from: a tool on the service's machine, or a file that was read here. */
export type ImportedFrom = { readonly source: Source } | { readonly name: string; readonly text: string };

/** So much the service takes in one request. */
const MOST_CHARACTERS = 900_000;
const MOST_SHOWN = 20;

/** With `dryRun` nothing is kept, and the report says what would be. */
export async function importMemory(from: ImportedFrom, dryRun: boolean): Promise<ImportReport> {
  if ('source' in from) return ask('POST /api/memory/import', { source: from.source, dryRun });
  const source = isExport(from.text) ? 'export' : 'conversation';
  const parts = from.text.length > MOST_CHARACTERS ? partsOf(from.text) : [from.text];
  let sum: ImportReport | undefined;
  for (const content of parts) {
    const report = await ask('POST /api/memory/import', { source, content, dryRun });
    sum = sum ? together(sum, report) : report;
  }
  if (!sum) throw new TypeError('An empty file');
  return sum;
}

/** Its first line says so. */
function isExport(text: string): boolean {
  return /^\ufeff?\s*\{[^\n]*"kind"\s*:/.test(text.slice(0, 2_000));
}

/** Whole lines, as many as go into one request. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const line of text.split('\n')) {
    if (part !== '' && part.length + line.length > MOST_CHARACTERS) {
      parts.push(part);
      part = '';
    }
    part += `${line}\n`;
  }
  return [...parts, part];
}

function together(one: ImportReport, other: ImportReport): ImportReport {
  return {
    imported: one.imported + other.imported,
    skipped: one.skipped + other.skipped,
    failed: one.failed + other.failed,
    conflicts: one.conflicts + other.conflicts,
    episodes: one.episodes + other.episodes,
    conclusions: one.conclusions + other.conclusions,
    entities: one.entities + other.entities,
    issues: [...one.issues, ...other.issues].slice(0, MOST_SHOWN),
    preview: [...one.preview, ...other.preview].slice(0, MOST_SHOWN),
  };
}
