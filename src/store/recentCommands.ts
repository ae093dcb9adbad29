import type { FoundCommand } from './adapter.ts';

/** Twice as many at times, so that the older half goes at once. */
const MOST_KEPT = 1_024;

/** Where the commands of this process came to stand lately: most that are looked for were run a moment before. */
export class RecentCommands {
  #newer = new Map<string, FoundCommand>();
  #older: ReadonlyMap<string, FoundCommand> = new Map();

  find(commandId: string): FoundCommand | undefined {
    return this.#newer.get(commandId) ?? this.#older.get(commandId);
  }

  note(commandId: string, found: FoundCommand): void {
    if (this.#newer.size >= MOST_KEPT) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(commandId, found);
  }

  clear(): void {
    this.#newer = new Map();
    this.#older = new Map();
  }
}
