import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../../../support/service.ts';
import { registerSuiteTools } from './suiteTools.ts';

const packages = join(import.meta.dirname, '../node_modules/@modelcontextprotocol');
const suite = join(packages, 'conformance/dist/index.js');

describe('the conformance suite of MCP', () => {
  let service: InProcessService;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hark-conformance-'));
    service = await InProcessService.start({ CHAT_RATE_LIMIT: '1000' }, { onTools: registerSuiteTools });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  // What fails has to stand in the list, with its reason; what stands there has to fail.
  for (const revision of ['2025-11-25', '2026-07-28'])
    test(`finds what ${revision} requires of a server with tools alone`, async () => {
      const known = join(import.meta.dirname, `conformance-${revision}.yml`);
      const asked = ['server', '--url', service.mcpUrl, '--requirements', revision];
      const { code, output } = await run([...asked, '--expected-failures', known], folder);
      assert.equal(code, 0, output);
      assert.match(output, /tools-list/);
    });
});

function run(args: readonly string[], cwd: string): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [suite, ...args], { cwd, timeout: 240_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, output: stdout + stderr }),
    );
  });
}
