import type { ListToolsResult } from '@modelcontextprotocol/server';
import type { Tool } from '../../application/chat/tool.ts';
import type { ToolRegistry } from '../../application/chat/toolRegistry.ts';
import { type DeviceScope, mayDevice } from '../../application/deviceScope.ts';

/** The tools as MCP's clients are shown them, drawn up once for as long as they stay the same. */
export class ToolTable {
  readonly #registry: Pick<ToolRegistry, 'list'>;
  #drawnFrom: readonly Tool[] | undefined;
  #listing: ListToolsResult = { tools: [] };

  constructor(registry: Pick<ToolRegistry, 'list'>) {
    this.#registry = registry;
  }

  /** To another hark those of others are not passed on: they would go round in circles, and grow for ever. */
  ownListing(): ListToolsResult {
    return {
      tools: this.#registry
        .list()
        .filter(({ isForeign }) => !isForeign)
        .map(shown),
    };
  }

  /** To a device, what it may call. */
  listingFor(device: DeviceScope): ListToolsResult {
    const may = this.#registry.list().filter((tool) => mayDevice(device, tool.device));
    return { tools: may.map(shown) };
  }

  listing(): ListToolsResult {
    const tools = this.#registry.list();
    if (tools !== this.#drawnFrom) {
      this.#drawnFrom = tools;
      this.#listing = { tools: tools.map(shown) };
    }
    return this.#listing;
  }
}

function shown({ name, description, input, output, annotations }: Tool): ListToolsResult['tools'][number] {
  return {
    name,
    description,
    ...(annotations?.title === undefined ? {} : { title: annotations.title }),
    inputSchema: { ...input, type: 'object' },
    ...(output ? { outputSchema: { ...output } } : {}),
    ...(annotations ? { annotations } : {}),
  };
}
