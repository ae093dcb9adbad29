import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOf, NotOurOwn, readOwnFile } from '../ownFile.ts';

export type WorkflowFile =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly problem: string };

const FILE = /^[^.].*\.(ya?ml|json)$/;
const LONGEST = 256 * 1_024;
const MOST_FILES = 500;
/** An editor writes a file in several steps. */
const SETTLE_MS = 50;
/** Not every file system tells of changes. */
const LOOK_EVERY_MS = 30_000;

/** The folder in which workflows lie, a file each. */
export class WorkflowFolder {
  readonly #path: string;
  readonly #onChange: () => void;
  #watcher: FSWatcher | undefined;
  #settling: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;

  constructor(path: string, onChange: () => void) {
    this.#path = path;
    this.#onChange = onChange;
  }

  /** From now on, changes are told of. */
  async start(): Promise<void> {
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    this.#watcher = watch(this.#path, { persistent: false }, () => this.#changed());
    // A folder that is taken away ends the watching; the look now and then finds it again.
    this.#watcher.on('error', () => this.#watcher?.close());
    this.#looking = setInterval(this.#onChange, LOOK_EVERY_MS).unref();
  }

  stop(): void {
    this.#watcher?.close();
    clearInterval(this.#looking);
    clearTimeout(this.#settling);
  }

  /** In the order of their names. */
  async read(): Promise<readonly WorkflowFile[]> {
    const names = await readdir(this.#path).catch(noneWithoutFolder);
    const wanted = names.filter((name) => FILE.test(name)).sort();
    if (wanted.length > 0) {
      // Who may write there may put another file in the place of one.
      const fault = faultOf(await stat(this.#path));
      if (fault !== undefined) return wanted.map((name) => ({ name, problem: `Its folder ${fault}` }));
    }
    const files: WorkflowFile[] = [];
    for (const name of wanted.slice(0, MOST_FILES)) files.push(await this.#readOne(name));
    for (const name of wanted.slice(MOST_FILES))
      files.push({ name, problem: `There are more than ${MOST_FILES} files` });
    return files;
  }

  async #readOne(name: string): Promise<WorkflowFile> {
    const path = join(this.#path, name);
    try {
      const found = await stat(path);
      if (!found.isFile()) return { name, problem: 'Not a file' };
      if (found.size > LONGEST) return { name, problem: `Longer than ${LONGEST / 1_024} KiB` };
      return { name, text: await readOwnFile(path) };
    } catch (error) {
      if (error instanceof NotOurOwn) return { name, problem: `It ${error.message}` };
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      return { name, problem: `Cannot be read: ${code}` };
    }
  }

  #changed(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(this.#onChange, SETTLE_MS).unref();
  }
}

/** A folder that is there and cannot be read says nothing of its files: they stay as they were. */
function noneWithoutFolder(error: unknown): string[] {
  if (Object(error).code !== 'ENOENT') throw error;
  return [];
}
