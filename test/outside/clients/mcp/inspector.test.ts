import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { InProcessService } from '../../../support/service.ts';

const packages = join(import.meta.dirname, '../node_modules/@modelcontextprotocol');
const inspector = join(packages, 'inspector/clients/launcher/build/index.js');

describe("the inspector's command line", () => {
  let service: InProcessService;
  let home: string;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'hark-inspector-'));
    service = await InProcessService.start();
  });
  afterAll(async () => {
    await service.stop();
    rmSync(home, { recursive: true });
  });

  const inspect = (...args: readonly string[]) => {
    const asked = [inspector, '--cli', service.mcpUrl, '--transport', 'http', ...args];
    const env = { PATH: process.env.PATH, HOME: home };
    return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, asked, { cwd: home, env, timeout: 240_000 }, (error, stdout, stderr) =>
        resolve({ code: error ? error.code : 0, stdout, stderr }),
      );
    });
  };

  test('lists the tools, and finds no fault with their schemas', async () => {
    const { code, stdout, stderr } = await inspect('--method', 'tools/list', '--strict');
    assert.equal(code, 0, stderr);
    const names = JSON.parse(stdout).tools.map(({ name }: { name: string }) => name);
    assert.ok(names.includes('system.health'));
  });

  test('calls one', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'discover_tools', '--tool-arg', 'query=health'];
    const { code, stdout, stderr } = await inspect(...call);
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).structuredContent.result[0].name, 'system.health');
  });
});
