import { z } from 'zod';
import { DISCOVER_TOOLS, type ToolFinder } from '../../application/chat/toolFinder.ts';
import { defineTool, type ToolOperation } from '../operation.ts';

interface DiscoverToolsOptions {
  readonly finder: ToolFinder;
  /** How many it names at most. */
  readonly most: () => number;
}

/** Finds tools beyond those that a turn is shown. How near they have to be is left to the model that asks. */
export function discoverTools({ finder, most }: DiscoverToolsOptions): ToolOperation {
  return defineTool({
    tool: {
      name: DISCOVER_TOOLS,
      description:
        'Finds further tools by what they do. Call it when no tool at hand serves; what it finds can be called next.',
      category: 'system',
      annotations: { title: 'Discover tools', readOnlyHint: true, openWorldHint: false },
      reveals: (found) => found.map(({ name }) => name),
    },
    input: z.object({
      query: z.string().describe('What the tool should do, in a few words'),
      category: z.string().optional().describe('Only tools of this category: smart_home, voice, system …'),
    }),
    output: z.array(z.object({ name: z.string(), description: z.string(), category: z.string() })),
    async run({ query, category }) {
      const among = category === undefined ? {} : { category };
      const fitting = await finder.find({ text: query, most: most(), threshold: 0, ...among });
      const found = fitting.length > 0 ? fitting : ofCategory(finder, category).slice(0, most());
      return found.map(({ name, description, category: of }) => ({ name, description, category: of }));
    },
  });
}

function ofCategory(finder: ToolFinder, category: string | undefined) {
  return finder.all().filter((tool) => tool.category === category);
}
