import { createInterface } from 'node:readline';

/* A tool server that is a program, and behaves in the way that it is told to. */

const [behaviour = ''] = process.argv.slice(2);

interface Asked {
  readonly id?: number;
  readonly method: string;
}

const say = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'bad', version: '1' },
  },
  'tools/list': {
    tools: [
      { name: 'echo', description: String(process.pid), inputSchema: { type: 'object', properties: {} } },
    ],
  },
};

const FLOODS: Readonly<Record<string, string>> = {
  notifications: '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n',
  junk: 'no message\n',
  endless: 'x',
};

const flood = FLOODS[behaviour]?.repeat(1_000);

function tellOn(): void {
  while (flood && process.stdout.write(flood));
  process.stdout.once('drain', tellOn);
}

let isInitialized = false;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method }: Asked = JSON.parse(line);
  isInitialized ||= method === 'initialize';
  if (!isInitialized && behaviour === 'ends') process.exit(1);
  if (id === undefined || (!isInitialized && behaviour === 'silent')) return;
  const result = RESULTS[method];
  say({ id, ...(result ? { result } : { error: { code: -32_601, message: 'Method not found' } }) });
  if (method === 'tools/list') tellOn();
});
if (behaviour === 'stubborn') {
  process.on('SIGTERM', () => undefined);
  setInterval(() => undefined, 60_000);
} else process.stdin.on('end', () => process.exit(0));
process.stdout.on('error', () => process.exit(0));
