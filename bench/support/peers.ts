import { closeSync, fdatasync, fdatasyncSync, openSync, write, writeSync } from 'node:fs';

/**
 * The limit: a bare file with one `fdatasync` a group, a version check per stream and nothing else. What any
 * embedded log can reach on this disk.
 */
export class BareFileLog {
  readonly #descriptor: number;
  readonly #versions = new Map<string, number>();
  #queue: { line: string; done: () => void }[] = [];
  #busy = false;

  constructor(file: string) {
    this.#descriptor = openSync(file, 'a');
  }

  append(stream: string, expected: number, event: unknown): Promise<void> {
    const version = this.#versions.get(stream) ?? 0;
    if (version !== expected) throw new Error(`${stream} is at ${version}, not ${expected}`);
    this.#versions.set(stream, version + 1);
    return new Promise((done) => {
      this.#queue.push({ line: `${JSON.stringify(event)}\n`, done });
      if (this.#busy) return;
      this.#busy = true;
      setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const group = this.#queue;
    this.#queue = [];
    write(this.#descriptor, group.map(({ line }) => line).join(''), () =>
      fdatasync(this.#descriptor, () => {
        for (const { done } of group) done();
        if (this.#queue.length > 0) this.#flush();
        else this.#busy = false;
      }),
    );
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The limit of one durable append: one write and one `fdatasync`, nobody else about. */
export function bareAppend(descriptor: number, event: unknown): void {
  writeSync(descriptor, `${JSON.stringify(event)}\n`);
  fdatasyncSync(descriptor);
}
