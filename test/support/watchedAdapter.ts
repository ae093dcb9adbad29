import { MemoryAdapter } from '../../src/store/memory/adapter.ts';

type Call =
  | 'append'
  | 'findCommand'
  | 'readStream'
  | 'readAll'
  | 'saveSnapshot'
  | 'loadSnapshot'
  | 'moveCursor'
  | 'acquireLease';
type Arguments<Name extends Call> = Parameters<MemoryAdapter[Name]>;

/** A log in memory that says what is asked of it, and lets a test stand in the way. */
export class WatchedAdapter extends MemoryAdapter {
  readonly calls: { readonly name: Call; readonly args: readonly unknown[] }[] = [];
  /** Runs before each call: what it throws is what the call fails with, and what it waits for the call waits for. */
  before: (name: Call, ...args: readonly unknown[]) => void | Promise<void> = () => {};

  countOf(name: Call): number {
    return this.calls.filter((call) => call.name === name).length;
  }

  override async append(...args: Arguments<'append'>) {
    await this.#note('append', args);
    return super.append(...args);
  }
  override async findCommand(...args: Arguments<'findCommand'>) {
    await this.#note('findCommand', args);
    return super.findCommand(...args);
  }
  override async readStream(...args: Arguments<'readStream'>) {
    await this.#note('readStream', args);
    return super.readStream(...args);
  }
  override async readAll(...args: Arguments<'readAll'>) {
    await this.#note('readAll', args);
    return super.readAll(...args);
  }
  override async saveSnapshot(...args: Arguments<'saveSnapshot'>) {
    await this.#note('saveSnapshot', args);
    return super.saveSnapshot(...args);
  }
  override async loadSnapshot(...args: Arguments<'loadSnapshot'>) {
    await this.#note('loadSnapshot', args);
    return super.loadSnapshot(...args);
  }
  override async moveCursor(...args: Arguments<'moveCursor'>) {
    await this.#note('moveCursor', args);
    return super.moveCursor(...args);
  }
  override async acquireLease(...args: Arguments<'acquireLease'>) {
    await this.#note('acquireLease', args);
    return super.acquireLease(...args);
  }

  async #note(name: Call, args: readonly unknown[]): Promise<void> {
    this.calls.push({ name, args });
    await this.before(name, ...args);
  }
}
