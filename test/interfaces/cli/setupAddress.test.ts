import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { skippedFor } from '../../support/skippedFor.ts';
import { Terminal, terminalIsMissing } from '../../support/terminal.ts';
import { bin, hark, startHark, TemporaryFolder } from './hark.ts';

const quiet = { HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0', OLLAMA_HOST: 'http://127.0.0.1:9' };
const { PATH = '' } = process.env;

function startedAt(folder: string, more: Readonly<Record<string, string>> = {}): Terminal {
  const environment = { PATH, ...quiet, SERVICE_DATA_DIR: folder, ...more };
  return new Terminal([process.execPath, bin, 'start'], environment);
}

async function stop(terminal: Terminal): Promise<void> {
  // As Ctrl-C, which the terminal makes a signal of.
  terminal.child.stdin?.write('\u0003');
  assert.equal(await terminal.ends(), 0);
}

describe.concurrent('the address that a start prints', { ...skippedFor(terminalIsMissing) }, () => {
  test('has a claim in its fragment with which the setup goes on', async () => {
    using folder = new TemporaryFolder();
    const terminal = startedAt(folder.path);
    const [, url = '', token = ''] = await terminal.sees(/(http:\/\/127\.0\.0\.1:\d+)\/#setup=([\w-]{43})\s/);
    assert.match(
      terminal.shown.slice(0, 200),
      /^\{"level":"info".*\r?\n/,
      'the first line is that it is ready',
    );
    const page = await fetch(`${url}/`);
    assert.equal(page.status, 200);
    const put = await fetch(`${url}/api/setup/steps/model`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-setup-token': token },
      body: '{"state":"skipped"}',
    });
    assert.equal(put.status, 200);
    await stop(terminal);
    assert.equal(terminal.shown.split('#setup').length, 2, 'it is printed once');

    // Skipped is not needed.
    const again = startedAt(folder.path);
    await again.sees(/"msg":"ready"/);
    await stop(again);
    assert.ok(!again.shown.includes('#setup'));
  });

  test('has no claim where there is a key, which the page asks for', async () => {
    using folder = new TemporaryFolder();
    const terminal = startedAt(folder.path, { SERVICE_API_KEY: 'the-key-of-the-service' });
    await terminal.sees(/http:\/\/127\.0\.0\.1:\d+\/#setup\s/);
    assert.ok(!terminal.shown.includes('the-key-of-the-service'));
    await stop(terminal);
  });
});

test('nothing is printed where there is no terminal: a log is for more readers', async () => {
  using folder = new TemporaryFolder();
  const child = startHark(['start'], { ...quiet, SERVICE_DATA_DIR: folder.path });
  let said = '';
  child.stdout?.setEncoding('utf8');
  for await (const chunk of child.stdout ?? []) {
    said += chunk;
    const [, port] = /"health":(\d+)/.exec(said) ?? [];
    if (port === undefined || child.killed) continue;
    const { code } = await hark(['status', '--url', `http://127.0.0.1:${port}`]);
    assert.equal(code, 0);
    child.kill('SIGTERM');
  }
  assert.ok(!said.includes('setup'));
});
