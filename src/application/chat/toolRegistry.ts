import type { Tool } from './tool.ts';

/** As MCP allows, without empty parts. */
const NAME = /^[a-zA-Z0-9_-]+(\.[a-zA-Z0-9_-]+)*$/;
const LONGEST_NAME = 128;

/**
 * The tools that there are, each registered by a source: the service's own parts, or an external tool server whose
 * whole group is exchanged when it connects again. A name belongs to whoever has it first: nobody can put himself
 * in the place of another's tool.
 */
export class ToolRegistry {
  readonly #onFailure: (what: string, error: unknown) => void;
  readonly #groups = new Map<string, ReadonlyMap<string, Tool>>();
  readonly #reserved = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #byName: ReadonlyMap<string, Tool> = new Map();
  #list: readonly Tool[] = [];

  constructor(onFailure: (what: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  /** By name, in the order of names. The same array for as long as nothing changes. */
  list(): readonly Tool[] {
    return this.#list;
  }

  get(name: string): Tool | undefined {
    return this.#byName.get(name);
  }

  /** The source that has registered this name, or keeps it. */
  ownerOf(name: string): string | undefined {
    return Array.from(this.#groups).find(([, tools]) => tools.has(name))?.[0] ?? this.#reserved.get(name);
  }

  /** Keeps names for a source, also while its tools are not there. */
  reserve(source: string, names: Iterable<string>): void {
    for (const name of names) this.#reserved.set(name, source);
  }

  /** Adds to what the source has. Nothing is added when one of them cannot be. */
  register(source: string, ...tools: readonly Tool[]): void {
    this.replace(source, [...this.#toolsOf(source), ...tools]);
  }

  /** Takes these of the source away; all of them where none is named. */
  unregister(source: string, ...names: readonly string[]): void {
    const left = names.length === 0 ? [] : this.#toolsOf(source).filter(({ name }) => !names.includes(name));
    this.replace(source, left);
  }

  /** What the source has from now on. Nothing changes when one of them cannot be taken. */
  replace(source: string, tools: readonly Tool[]): void {
    const group = new Map<string, Tool>();
    for (const tool of tools) {
      const why = this.#whyRefused(source, tool, group);
      if (why) throw new TypeError(`The tool ${JSON.stringify(tool.name)} of ${source} ${why}`);
      group.set(tool.name, tool);
    }
    this.#groups.delete(source);
    if (group.size > 0) this.#groups.set(source, group);
    this.#drawUp();
  }

  /** Called after each change of what a client is shown, and not when a source comes back as it was. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  #toolsOf(source: string): readonly Tool[] {
    return [...(this.#groups.get(source)?.values() ?? [])];
  }

  #whyRefused(source: string, { name }: Tool, group: ReadonlyMap<string, Tool>): string | undefined {
    if (!isToolName(name)) return 'has an invalid name';
    if (group.has(name)) return 'appears twice';
    const owner = this.ownerOf(name);
    return owner === undefined || owner === source ? undefined : `has the same name as a tool of ${owner}`;
  }

  #drawUp(): void {
    const before = this.#list;
    const all = Array.from(this.#groups.values()).flatMap((group) => [...group.values()]);
    this.#list = Object.freeze(all.sort((one, other) => (one.name < other.name ? -1 : 1)));
    this.#byName = new Map(all.map((tool) => [tool.name, tool]));
    // Looked at only where somebody cares: schemas are drawn up when they are first read.
    if (this.#listeners.size > 0 && looksOf(before) !== looksOf(this.#list)) this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.#onFailure('a change of the tools', error);
      }
    }
  }
}

export function isToolName(name: string): boolean {
  return name.length <= LONGEST_NAME && NAME.test(name);
}

function looksOf(tools: readonly Tool[]): string {
  return JSON.stringify(
    tools.map(({ name, description, category, input }) => [name, description, category, input]),
  );
}
