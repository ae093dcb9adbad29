import type { ShownTool } from './tool.ts';

/** As JSON of tools usually has them; a guess for the moment before the tokens are counted. */
const CHARACTERS_A_TOKEN = 4;

interface Manifest {
  readonly json: string;
  tokens: number | undefined;
}

/** What tools cost in tokens of the model, each counted once for as long as it stays as it is. */
export class ToolTokens {
  readonly #count: (texts: readonly string[]) => Promise<readonly number[]>;
  readonly #manifests = new WeakMap<ShownTool, Manifest>();

  constructor(count: (texts: readonly string[]) => Promise<readonly number[]>) {
    this.#count = count;
  }

  /** Of the tools as a list of JSON. An estimate as long as one was not counted; `count` sees to that. */
  of(tools: readonly ShownTool[]): number {
    let total = 0;
    for (const tool of tools) {
      const { json, tokens } = this.#manifestOf(tool);
      // And what stands between two of them.
      total += (tokens ?? Math.ceil(json.length / CHARACTERS_A_TOKEN)) + 1;
    }
    return total;
  }

  async count(tools: readonly ShownTool[]): Promise<void> {
    const manifests = tools
      .map((tool) => this.#manifestOf(tool))
      .filter(({ tokens }) => tokens === undefined);
    if (manifests.length === 0) return;
    const counted = await this.#count(manifests.map(({ json }) => json));
    manifests.forEach((manifest, index) => {
      manifest.tokens = counted[index];
    });
  }

  #manifestOf(tool: ShownTool): Manifest {
    const known = this.#manifests.get(tool);
    if (known) return known;
    const { name, description, input } = tool;
    const manifest = { json: JSON.stringify({ name, description, input }), tokens: undefined };
    this.#manifests.set(tool, manifest);
    return manifest;
  }
}
