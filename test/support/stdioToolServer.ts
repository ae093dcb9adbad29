import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/* A tool server that is a program: it says what its environment holds under one name, and ends when told to. */

void serveStdio(() => {
  const server = new McpServer({ name: 'program', version: '1.0.0' });
  server.registerTool(
    'greet',
    { description: 'Greets', inputSchema: z.object({ name: z.string() }) },
    ({ name }) => ({
      content: [
        { type: 'text', text: `${process.env.GREETING} ${name}; ${process.env.SERVICE_API_KEY ?? 'no key'}` },
      ],
    }),
  );
  server.registerTool('end', { description: 'Ends', inputSchema: z.object({}) }, () => process.exit(0));
  return server;
});
