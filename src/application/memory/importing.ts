import { createHash } from 'node:crypto';
import { setImmediate as breath } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { gistOf } from '../../commands/memory/findings.ts';
import {
  importConversation,
  importStatements,
  type WrittenStatement,
} from '../../commands/memory/imports.ts';
import type { CommandContext, CommandRunner } from '../../commands/runner.ts';
import { entryOf } from '../../entryOf.ts';
import { conclusionDrawn } from '../../events/conclusions.ts';
import type { ImportedTurn } from '../../events/episodes.ts';
import { type Remembered, remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { preferences } from '../../projections/settings/preferences.ts';
import { unhurried } from '../../unhurried.ts';
import { ImportedByAppend } from './importedNames.ts';
import type { ImportedSpeakers } from './importedSpeakers.ts';
import { importKept } from './importingRecords.ts';
import { type ImportReport, ImportTally } from './importReport.ts';
import type { Understand } from './ports.ts';
import type { MemoryRecord } from './records.ts';

/** What an import brings, one after the other. */
export type ImportItem =
  /** A conversation that was held elsewhere. */
  | { readonly kind: 'conversation'; readonly sessionId: string; readonly turns: readonly ImportedTurn[] }
  /** What the user wrote down for another tool. */
  | { readonly kind: 'statement'; readonly text: string }
  /** A line of an export of ours. */
  | { readonly kind: 'record'; readonly record: MemoryRecord }
  | { readonly kind: 'unusable'; readonly item: string; readonly reason: string };

type Conversation = Extract<ImportItem, { kind: 'conversation' }>;

interface ImportOptions {
  readonly runner: CommandRunner;
  readonly views: UserViews;
  readonly understand: Understand;
  readonly clock: Clock;
  readonly retentionMs: () => number;
}

export interface ImportContext extends CommandContext {
  /** Nothing is kept: the report says what would be. */
  readonly dryRun: boolean;
  readonly speakers: ImportedSpeakers;
  readonly signal: AbortSignal;
}

/** So many go into one append. */
const STATEMENTS_AT_ONCE = 100;
const LONGEST_BEGINNING = 200;

/** Takes in what comes from elsewhere. Each thing is kept as a whole or not at all, and once. */
export async function importItems(
  options: ImportOptions,
  items: AsyncIterable<ImportItem> | Iterable<ImportItem>,
  context: ImportContext,
): Promise<ImportReport> {
  const { effective } = await options.views.of(preferences, context.userId);
  const work = new Import(options, context);
  // To read the request took its time already.
  await breath();
  for await (const item of unhurried(items)) {
    context.signal.throwIfAborted();
    if (effective.persistMemory) await work.take(item);
    else work.leave();
  }
  await work.finish();
  return work.tally.report();
}

/** The preferences of the user say that nothing is to be remembered. */
const SWITCHED_OFF = 'Memory is switched off in the preferences of this user';

class Import {
  readonly tally = new ImportTally();
  readonly #options: ImportOptions;
  readonly #context: ImportContext;
  readonly #records: MemoryRecord[] = [];
  readonly #statements = new Map<string, WrittenStatement>();
  /** What was believed before: text that says the same is known, under whatever id. */
  #believed: Promise<ReadonlySet<string>> | undefined;
  /** What this import took in: of a run that keeps nothing, nobody else knows. */
  readonly #taken = new Set<string>();

  constructor(options: ImportOptions, context: ImportContext) {
    this.#options = options;
    this.#context = context;
  }

  take(item: ImportItem): Promise<void> | void {
    switch (item.kind) {
      case 'conversation':
        return this.#takeConversation(item);
      case 'statement':
        return this.#takeStatement(item.text);
      case 'record':
        return void this.#records.push(item.record);
      case 'unusable':
        return this.tally.fail(item.item, item.reason);
    }
  }

  leave(): void {
    if (this.tally.skipped++ === 0) this.tally.note('', SWITCHED_OFF);
  }

  /** What had to be seen as a whole. */
  async finish(): Promise<void> {
    await this.#keepStatements();
    if (this.#records.length > 0) await importKept(this.#options, this.#records, this.#context, this.tally);
  }

  #memory(): Promise<Remembered> {
    return this.#options.views.of(remembered, this.#context.userId);
  }

  async #takeConversation({ sessionId, turns: given }: Conversation): Promise<void> {
    const { runner, understand, clock, retentionMs } = this.#options;
    const { dryRun, speakers, signal, ...context } = this.#context;
    // By what came, whoever is taken for the user: the same again is known.
    const episodeId = idOf([sessionId, given.map(({ role, name, text }) => [role, name, text])]);
    const before = await this.#memory();
    const turns = speakers.told(given, before);
    if (this.#taken.has(episodeId) || entryOf(before.episodes, episodeId)) {
      this.tally.skipped++;
      return;
    }
    this.#taken.add(episodeId);
    const isContinued = Object.values(before.episodes).some(
      (one) => one.sessionId === sessionId && one.conversationId === null,
    );
    if (isContinued) this.tally.conflicts++;
    const words = turns.map((turn, index) => ({ turnId: `${index}`, ...turn }));
    const { userId, correlationId } = context;
    const {
      findings,
      trivial: _,
      ...understood
    } = await understand(words, {
      userId,
      correlationId,
      signal,
    });
    const episode = {
      ...understood,
      // Of small talk there is nothing to sum up, and yet it is to be known by something.
      summary: understood.summary || (turns[0]?.text.slice(0, LONGEST_BEGINNING) ?? ''),
      type: 'conversation' as const,
      sessionId,
      conversationId: null,
      turnId: null,
      happenedAt: turns.at(-1)?.at ?? clock(),
      expiresAt: clock() + retentionMs(),
    };
    const taken = { kind: 'episode', text: episode.summary } as const;
    if (dryRun) {
      this.tally.take(taken, findings.length);
      return;
    }
    const input = { episodeId, sessionId, turns, episode, findings };
    const { appended } = await runner.run(importConversation, input, context);
    const drawn = appended.filter(({ type }) => type === conclusionDrawn.type);
    this.tally.settle(taken, appended.length > 0, drawn.length);
  }

  async #takeStatement(text: string): Promise<void> {
    const gist = gistOf(text);
    const conclusionId = idOf(['statement', gist]);
    this.#believed ??= this.#memory().then(gistsOf);
    const isKnown = (await this.#believed).has(gist) || this.#taken.has(conclusionId);
    if (isKnown || entryOf((await this.#memory()).conclusions, conclusionId)) {
      this.tally.skipped++;
      return;
    }
    this.#taken.add(conclusionId);
    this.#statements.set(conclusionId, { conclusionId, text });
    if (this.#statements.size === STATEMENTS_AT_ONCE) await this.#keepStatements();
  }

  async #keepStatements(): Promise<void> {
    const { dryRun, speakers: _speakers, signal: _signal, ...context } = this.#context;
    const statements = [...this.#statements.values()];
    this.#statements.clear();
    if (statements.length === 0) return;
    const { appended } = dryRun
      ? {}
      : await this.#options.runner.run(importStatements, { statements }, context);
    const brought = appended && new ImportedByAppend(appended);
    for (const { conclusionId, text } of statements)
      this.tally.settle({ kind: 'conclusion', text }, brought?.has('conclusion', conclusionId) ?? true);
  }
}

/** Many beliefs are read with breaths between them. */
const GISTS_AT_ONCE = 500;

async function gistsOf({ conclusions }: Remembered): Promise<ReadonlySet<string>> {
  const gists = new Set<string>();
  for (const [index, { text, status }] of Object.values(conclusions).entries()) {
    if (index % GISTS_AT_ONCE === GISTS_AT_ONCE - 1) await breath();
    if (status === 'active' && text !== null) gists.add(gistOf(text));
  }
  return gists;
}

/** The same has the same id whenever it is imported; a conversation that has gone on since is another. */
function idOf(given: unknown): string {
  return createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 32);
}
