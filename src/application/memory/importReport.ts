import type { CommandContext } from '../../commands/runner.ts';
import type { MemoryRecord } from './records.ts';

export type ImportAsked = CommandContext & { readonly dryRun: boolean; readonly signal: AbortSignal };

/** What could not be taken in, and why; never what it says. */
export interface ImportIssue {
  /** The number of the session or line, or the file, as the user knows it. */
  readonly item: string;
  readonly message: string;
}

/** One thing that was taken in, or would be. */
export interface ImportedThing {
  readonly kind: MemoryRecord['kind'];
  readonly text: string;
}

export interface ImportReport {
  readonly imported: number;
  /** Known already. */
  readonly skipped: number;
  /** Nothing in them that could be kept. */
  readonly failed: number;
  /** Taken in, or left, although something else is known by the same name. */
  readonly conflicts: number;
  readonly episodes: number;
  readonly conclusions: number;
  readonly entities: number;
  readonly issues: readonly ImportIssue[];
  /** The first few, of what would be taken in. */
  readonly preview: readonly ImportedThing[];
}

const MOST_ISSUES = 50;
const MOST_PREVIEWED = 10;
const LONGEST_PREVIEW = 200;

/** Counts while an import goes on. */
export class ImportTally {
  skipped = 0;
  conflicts = 0;
  #imported = 0;
  #failed = 0;
  #episodes = 0;
  #conclusions = 0;
  #entities = 0;
  readonly #issues: ImportIssue[] = [];
  readonly #preview: ImportedThing[] = [];

  fail(item: string, message: string): void {
    this.#failed++;
    this.note(item, message);
  }

  note(item: string, message: string): void {
    if (this.#issues.length < MOST_ISSUES) this.#issues.push({ item, message });
  }

  take({ kind, text }: ImportedThing, conclusions = 0): void {
    this.#imported++;
    if (kind === 'episode') this.#episodes++;
    if (kind === 'entity') this.#entities++;
    this.#conclusions += kind === 'conclusion' ? 1 : conclusions;
    if (this.#preview.length < MOST_PREVIEWED)
      this.#preview.push({ kind, text: text.slice(0, LONGEST_PREVIEW) });
  }

  /** Another import of the same may have been quicker. */
  settle(thing: ImportedThing, isBrought: boolean, conclusions = 0): void {
    if (isBrought) this.take(thing, conclusions);
    else this.skipped++;
  }

  /** One of the records that one episode takes: it counts as an episode with the last of them. */
  settlePart(isBrought: boolean): void {
    if (isBrought) this.#imported++;
    else this.skipped++;
  }

  report(): ImportReport {
    return {
      imported: this.#imported,
      skipped: this.skipped,
      failed: this.#failed,
      conflicts: this.conflicts,
      episodes: this.#episodes,
      conclusions: this.#conclusions,
      entities: this.#entities,
      issues: this.#issues,
      preview: this.#preview,
    };
  }
}
