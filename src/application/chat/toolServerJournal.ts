import type { Clock, Wake } from '../../clock.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { type FoundToolServer, keepToolServers, recordToolServer } from '../../commands/tools/toolServers.ts';

/** Of one server that comes and goes all the time, no more than these are written down. */
const MOST_AN_HOUR = 10;
const HOUR_MS = 3_600_000;

interface ToolServerJournalOptions {
  /** Undefined while there is no log. */
  readonly runner: () => CommandRunner | undefined;
  readonly clock: Clock;
  readonly wake: Wake;
}

interface Entry {
  found: FoundToolServer;
  /** What the log was told last, as JSON. */
  told?: string;
  /** When the log was changed by what it was told. */
  readonly changes: number[];
  isTelling: boolean;
  cancel?: (() => void) | undefined;
}

/**
 * Tells the log what becomes of tool servers, so that the past can show them: when their state changes, not each time
 * that somebody looks. Of one that changes too often it is told later how that is by then.
 */
export class ToolServerJournal {
  readonly #options: ToolServerJournalOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: ToolServerJournalOptions) {
    this.#options = options;
  }

  note(found: FoundToolServer): void {
    const entry = this.#entries.get(found.name) ?? { found, changes: [], isTelling: false };
    entry.found = found;
    this.#entries.set(found.name, entry);
    void this.#tell(entry);
  }

  /** These are all that there are; others that the log knows are gone, also where that was while nothing ran. */
  keep(names: readonly string[]): void {
    for (const [name, { cancel }] of this.#entries) {
      if (names.includes(name)) continue;
      cancel?.();
      this.#entries.delete(name);
    }
    void this.#run((runner) => runner.run(keepToolServers, { names }, asService('tool-servers')));
  }

  stop(): void {
    for (const { cancel } of this.#entries.values()) cancel?.();
    this.#entries.clear();
  }

  async #tell(entry: Entry): Promise<void> {
    const { clock, wake } = this.#options;
    const { found, changes } = entry;
    const news = JSON.stringify(found);
    if (entry.isTelling || entry.cancel || entry.told === news || !this.#isCurrent(entry)) return;
    const [oldest] = changes;
    if (oldest !== undefined && changes.length >= MOST_AN_HOUR && clock() - oldest < HOUR_MS) {
      entry.cancel = wake(oldest + HOUR_MS, () => {
        entry.cancel = undefined;
        void this.#tell(entry);
      });
      return;
    }
    entry.isTelling = true;
    const outcome = await this.#run((runner) => runner.run(recordToolServer, found, asService(found.name)));
    entry.isTelling = false;
    // What could not be written is written when somebody looks at the server again.
    if (!outcome) return;
    entry.told = news;
    if (outcome.appended.length > 0) {
      changes.push(clock());
      if (changes.length > MOST_AN_HOUR) changes.shift();
    }
    void this.#tell(entry);
  }

  #isCurrent(entry: Entry): boolean {
    return this.#entries.get(entry.found.name) === entry;
  }

  /** A log that is away disturbs no tool server. */
  async #run<Outcome>(work: (runner: CommandRunner) => Promise<Outcome>): Promise<Outcome | undefined> {
    try {
      const runner = this.#options.runner();
      return runner && (await work(runner));
    } catch {
      return undefined;
    }
  }
}

function asService(name: string): Parameters<CommandRunner['run']>[2] {
  return { userId: '', correlationId: `tool-server-${name}` };
}
