import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { mebibytesOf } from '../../test/package/installed.ts';
import { npm } from '../../test/package/npm.ts';

/** An agent with memory, ready to be asked: what there is of Mastra without a server. */
export const MASTRA = `import { Mastra } from '@mastra/core';
  import { Agent } from '@mastra/core/agent';
  import { LibSQLStore } from '@mastra/libsql';
  import { Memory } from '@mastra/memory';
  const storage = new LibSQLStore({ id: 'bench', url: ':memory:' });
  const memory = new Memory({ storage, options: { lastMessages: 10, semanticRecall: false } });
  const agent = new Agent({ id: 'a', name: 'a', instructions: 'x', model: 'openai/gpt-5', memory });
  globalThis.kept = new Mastra({ agents: { agent } });
  setInterval(() => {}, 60_000);
  console.log('{"msg":"ready"}');`;

const PARTS = ['@mastra/core', '@mastra/libsql', '@mastra/memory'];
const manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

/** What npm installs for it, or for any packages of the peers, into an empty folder. */
export function installedMebibytes(folder: string, names: readonly string[] = PARTS): number {
  const peers = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8');
  const { dependencies } = manifest.parse(JSON.parse(peers));
  const wanted = names.map((name) => [name, dependencies[name]]);
  mkdirSync(folder);
  const asked = { private: true, dependencies: Object.fromEntries(wanted) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(asked));
  npm(['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], folder);
  return mebibytesOf(join(folder, 'node_modules'));
}
