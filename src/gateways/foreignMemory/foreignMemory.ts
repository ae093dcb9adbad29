import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HarkError } from '../../errors.ts';
import { aiderChats, type ForeignConversation, filesToRead } from './aider.ts';
import { statementsIn } from './notes.ts';
import { type KnownFile, Places } from './places.ts';
import { readLines, Unreadable } from './readLines.ts';
import { foreignTools, type MemorySource } from './sources.ts';

type ForeignItem =
  | ForeignConversation
  | { readonly kind: 'statement'; readonly text: string }
  | { readonly kind: 'unusable'; readonly item: string; readonly reason: string };

interface ForeignSource {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly available: boolean;
  readonly items: number;
}

/** Nobody writes more by hand for a tool to read each time. */
const MOST_NOTES_BYTES = 2 ** 20;
const MOST_HISTORY_BYTES = 16 * 2 ** 20;
const MOST_LINES_BYTES = 64 * 2 ** 20;

interface ForeignMemoryOptions {
  readonly home: string;
  /** Projects, or folders of projects, that may be looked into too. */
  readonly roots: readonly string[];
  /** Where files lie that are to be taken in, for ourselves. */
  readonly inbox: string;
}

/** What other tools remember on this machine, read as they keep it. Nothing of theirs is changed. */
export class ForeignMemory {
  readonly #options: ForeignMemoryOptions;

  constructor(options: ForeignMemoryOptions) {
    this.#options = options;
  }

  async sources(): Promise<readonly ForeignSource[]> {
    const { home, inbox } = this.#options;
    const places = await this.#places();
    const waiting = await readdir(inbox).catch(() => []);
    const sources: ForeignSource[] = [];
    for (const tool of foreignTools) {
      const files = await places.filesOf(tool);
      let items = 0;
      for await (const { kind } of itemsOf(places, files)) if (kind !== 'unusable') items++;
      const { id, name, usualPlace } = tool;
      sources.push({ id, name, path: join(home, usualPlace), available: files.length > 0, items });
    }
    const ours = (id: string, name: string, type: RegExp): ForeignSource => {
      const items = waiting.filter((file) => type.test(file)).length;
      return { id, name, path: inbox, available: true, items };
    };
    return [
      ...sources,
      ours('conversation', 'Conversations', /\.jsonl?$/),
      ours('export', 'Export of hark', /\.ndjson$/),
    ];
  }

  /** What a tool keeps, or what of it lies at the path. A path that is none of its places is refused. */
  async read(source: string, path?: string): Promise<AsyncIterable<ForeignItem>> {
    const tool = toolOf(source);
    const places = await this.#places();
    const files = path === undefined ? await places.filesOf(tool) : await places.filesAt(tool, path);
    return itemsOf(places, files);
  }

  /** The lines of a file that waits for us. */
  async lines(path: string): Promise<AsyncIterable<string>> {
    const file = await (await this.#places()).fileOfLines(path);
    return readLines(file.path, MOST_LINES_BYTES);
  }

  #places(): Promise<Places> {
    const { home, roots, inbox } = this.#options;
    return Places.at(home, [...roots, inbox]);
  }
}

function toolOf(source: string): MemorySource {
  const tool = foreignTools.find(({ id }) => id === source);
  if (!tool) throw new HarkError('VALIDATION_FAILED', { message: 'No such source' });
  return tool;
}

async function* itemsOf(places: Places, files: readonly KnownFile[]): AsyncGenerator<ForeignItem> {
  for (const file of files) {
    try {
      yield* itemsIn(places, file);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      yield { kind: 'unusable', item: file.shown, reason: error.message };
    }
  }
}

async function* itemsIn(places: Places, file: KnownFile): AsyncGenerator<ForeignItem> {
  const { path, format, shown } = file;
  if (format === 'aider-history') {
    yield* aiderChats(path, readLines(path, MOST_HISTORY_BYTES));
    return;
  }
  const lines = readLines(path, MOST_NOTES_BYTES);
  if (format === 'notes') {
    for await (const text of statementsIn(lines)) yield { kind: 'statement', text };
    return;
  }
  for (const name of await filesToRead(lines)) {
    const named = await places.named(file, name);
    if (named) yield* itemsOf(places, [named]);
    else yield { kind: 'unusable', item: `${shown}: read`, reason: 'Not notes below the same folder' };
  }
}
