import { unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { BadToolServerFile, readToolServerFile, type ToolServerSpec } from '../../toolServerSpec.ts';
import { NotOurOwn, readOwnFile } from '../ownFile.ts';

const FILE = 'tool-servers.json';
const LOOK_EVERY_MS = 2_000;

/** The file that describes tool servers of others. */
export class ToolServerFile {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, FILE);
  }

  /** What it describes: nothing where there is no file. Or why it cannot be used, without a word of what stands in it. */
  async read(): Promise<{ readonly servers: readonly ToolServerSpec[] } | { readonly problem: string }> {
    try {
      const text = await readOwnFile(this.#path).catch(notThere);
      return { servers: text === undefined ? [] : readToolServerFile(text) };
    } catch (error) {
      const isTold = error instanceof BadToolServerFile || error instanceof NotOurOwn;
      const why = isTold ? error.message : `cannot be read (${Object(error).code})`;
      return { problem: `${FILE} cannot be used: ${why}` };
    }
  }

  /** Looked at now and then, since it may come, go, or be replaced. Gives what ends that. */
  watch(onChange: () => void): () => void {
    watchFile(this.#path, { interval: LOOK_EVERY_MS, persistent: false }, onChange);
    return () => unwatchFile(this.#path, onChange);
  }
}

function notThere(error: unknown): undefined {
  if (Object(error).code !== 'ENOENT') throw error;
}
