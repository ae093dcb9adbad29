import { setImmediate as breath } from 'node:timers/promises';
import { importRecords } from '../../commands/memory/imports.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { pairOf } from '../../folds/memory/contradictions.ts';
import { ImportedByAppend, type ImportedNames } from './importedNames.ts';
import type { ImportAsked, ImportTally } from './importReport.ts';
import type { ContradictionRecord } from './records.ts';

interface Contradictions {
  readonly records: readonly ContradictionRecord[];
  readonly names: ImportedNames;
  /** What a conclusion of the import says. */
  readonly textOf: (conclusionId: string) => string;
}

const RECORDS_AT_ONCE = 25;
const NOT_BOTH = 'One of its two conclusions is not in this memory, or both are one in it';

/** What was said of two conclusions, once both are there. What is said of the two here stays. */
export async function importContradictions(
  runner: CommandRunner,
  { records, names, textOf }: Contradictions,
  { dryRun, signal, ...context }: ImportAsked,
  tally: ImportTally,
): Promise<void> {
  for (let at = 0; at < records.length; at += RECORDS_AT_ONCE) {
    signal.throwIfAborted();
    const fresh = records.slice(at, at + RECORDS_AT_ONCE).flatMap((record) => {
      const both = names.bothOf(record);
      const pair = both && pairOf(...both);
      if (pair === undefined) tally.note(`contradiction of ${record.conclusionId}`, NOT_BOTH);
      if (pair === undefined || names.areOpposed(pair)) {
        tally.skipped++;
        return [];
      }
      names.oppose(pair);
      return [{ record, pair, kept: keptContradiction(record, names) }];
    });
    const contradictions = fresh.map(({ kept }) => kept);
    const input = { profile: {}, episodes: [], conclusions: [], contradictions };
    const isWritten = !dryRun && fresh.length > 0;
    const brought =
      isWritten && new ImportedByAppend((await runner.run(importRecords, input, context)).appended);
    for (const { record, pair } of fresh) {
      const text = `${textOf(record.conclusionId)} / ${textOf(record.contradicts)}`;
      tally.settle({ kind: 'contradiction', text }, !brought || brought.has('contradiction', pair));
    }
    await breath();
  }
}

function keptContradiction(
  { conclusionId, contradicts, at: foundAt, evidence, settled }: ContradictionRecord,
  names: ImportedNames,
) {
  const here = (id: string) => names.of('conclusion', id);
  return {
    conclusionId: here(conclusionId),
    contradicts: here(contradicts),
    foundAt,
    evidence,
    settled: settled && { ...settled, conclusionId: here(settled.conclusionId) },
  };
}
