/*
 * Runs a program made for WASI with files in memory alone: what is spoken never comes onto a disk. It has the fourteen
 * calls that such a program makes to read its arguments, to print and to write one file.
 */

const OK = 0;
const BAD_DESCRIPTOR = 8;
const ROOT = 3;
const FIRST_FILE = 4;
const DIRECTORY = 3;
const CHARACTERS = 2;
const REGULAR = 4;

class Ended extends Error {
  readonly code: number;

  constructor(code: number) {
    super('ended');
    this.code = code;
  }
}

/** What was written to the file that it opened; it may open one at a time. */
class WrittenFile {
  #bytes = new Uint8Array(256 * 1_024);
  #length = 0;
  #at = 0;

  write(bytes: Uint8Array): void {
    const end = this.#at + bytes.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#at);
    this.#at = end;
    this.#length = Math.max(this.#length, end);
  }

  seek(offset: number, whence: number): number {
    this.#at = Math.max(0, offset + (whence === 0 ? 0 : whence === 1 ? this.#at : this.#length));
    return this.#at;
  }

  content(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Gives what the program wrote to its file. Throws where it ends with another code than 0. */
export async function runWasiProgram(
  module: WebAssembly.Module,
  args: readonly string[],
): Promise<Uint8Array> {
  const file = new WrittenFile();
  const encoded = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  let memory: WebAssembly.Memory | undefined;
  const view = () => new DataView(memory?.buffer ?? new ArrayBuffer(0));
  const bytes = () => new Uint8Array(memory?.buffer ?? new ArrayBuffer(0));
  const calls = {
    args_sizes_get(count: number, size: number) {
      view().setUint32(count, encoded.length, true);
      view().setUint32(
        size,
        encoded.reduce((sum, arg) => sum + arg.length, 0),
        true,
      );
      return OK;
    },
    args_get(pointers: number, buffer: number) {
      let at = buffer;
      for (const [index, arg] of encoded.entries()) {
        view().setUint32(pointers + 4 * index, at, true);
        bytes().set(arg, at);
        at += arg.length;
      }
      return OK;
    },
    clock_time_get(_id: number, _precision: bigint, time: number) {
      view().setBigUint64(time, process.hrtime.bigint(), true);
      return OK;
    },
    fd_prestat_get(fd: number, at: number) {
      if (fd !== ROOT) return BAD_DESCRIPTOR;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name(_fd: number, path: number) {
      bytes()[path] = 0x2f;
      return OK;
    },
    fd_fdstat_get(fd: number, at: number) {
      bytes().fill(0, at, at + 24);
      view().setUint8(at, fd === ROOT ? DIRECTORY : fd < ROOT ? CHARACTERS : REGULAR);
      view().setBigUint64(at + 8, 0x1fffffffn, true);
      view().setBigUint64(at + 16, 0x1fffffffn, true);
      return OK;
    },
    fd_fdstat_set_flags: () => OK,
    path_open(...given: (number | bigint)[]) {
      view().setUint32(Number(given[8]), FIRST_FILE, true);
      return OK;
    },
    fd_write(fd: number, vectors: number, count: number, written: number) {
      let sum = 0;
      for (let index = 0; index < count; index++) {
        const at = view().getUint32(vectors + 8 * index, true);
        const length = view().getUint32(vectors + 8 * index + 4, true);
        if (fd === FIRST_FILE) file.write(bytes().subarray(at, at + length));
        sum += length;
      }
      view().setUint32(written, sum, true);
      return OK;
    },
    fd_read(_fd: number, _vectors: number, _count: number, read: number) {
      view().setUint32(read, 0, true);
      return OK;
    },
    fd_seek(fd: number, offset: bigint, whence: number, at: number) {
      if (fd !== FIRST_FILE) return BAD_DESCRIPTOR;
      view().setBigUint64(at, BigInt(file.seek(Number(offset), whence)), true);
      return OK;
    },
    fd_close: () => OK,
    proc_exit(code: number) {
      throw new Ended(code);
    },
  };
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: calls });
  const { memory: own, _start: start } = instance.exports;
  if (!(own instanceof WebAssembly.Memory) || typeof start !== 'function')
    throw new TypeError('No program for WASI');
  memory = own;
  try {
    start();
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    if (error.code !== 0) throw new Error(`The program ended with ${error.code}`);
  }
  return file.content();
}
