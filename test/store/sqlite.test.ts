import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteAdapter } from '../../src/store/sqlite/adapter.ts';
import { storeContract } from './contract.ts';

storeContract({
  name: 'sqlite',
  outlives: true,
  async fresh() {
    const directory = mkdtempSync(join(tmpdir(), 'hark-sqlite-'));
    return {
      open: () => SqliteAdapter.open(directory),
      dispose: async () => rmSync(directory, { recursive: true, force: true }),
    };
  },
});
