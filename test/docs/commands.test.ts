import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { says } from '../../src/demo/model/script.ts';
import { ScriptedModels } from '../../src/demo/model/scriptedModels.ts';
import { providersAt } from '../support/models/environment.ts';
import { InProcessService } from '../support/service.ts';

/*
 * Every command in the README and in docs/, as it stands there, one after the other as somebody would who reads the page.
 * Those that are run elsewhere, or by nobody here, are named with the reason.
 */

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin/hark.js');

const ELSEWHERE: readonly (readonly [command: RegExp, why: string])[] = [
  [/^npm (ci|i|install|test)\b/, 'it is what runs this test'],
  [/^npx hark-agent\b/, 'test/package runs the package'],
  [/^hark backup .* && npm i\b/, 'it changes what is installed; hark backup by itself is run'],
  [/^hark (start|service)\b/, 'test/package and test/service start it'],
  [/^npx hark chat\b/, 'it talks with a person: test/interfaces/cli/chat'],
  [/^(npx )?hark talk\b/, 'it needs a microphone: test/interfaces/cli/talk'],
  [/^npx hark setup( |$)/, 'it sets the machine up: test/interfaces/cli/setup'],
  [/^npx hark events tail\b/, 'it goes on until it is interrupted: test/interfaces/cli/events'],
  [/^npx hark restore .* --kvstore-url\b/, 'it needs a Redis: test/interfaces/cli/backup'],
  [/^(npx )?hark models (download|remove|benchmark)\b/, 'it fetches from the network: test/service/models'],
  [/^hark otel export\b/, 'it needs a collector: test/service/telemetry'],
  [/^claude\b/, 'it is a program of somebody else'],
  [/^docker\b|^podman\b|^buildah\b/, 'no container can be run here'],
  [/^npx (@modelcontextprotocol\/inspector|openapi-typescript)\b/, 'test/outside runs other clients'],
  [/^node_modules\/\.bin\/node scripts\//, 'test/scripts runs the tools'],
  [/^npm run\b/, 'test/scripts runs the tools'],
  [
    /^(export|cd|python3?|pip|sudo|systemctl|journalctl|apt|kubectl)\b/,
    'it is about the shell or the system of the reader',
  ],
];

interface Page {
  readonly name: string;
  readonly commands: readonly string[];
}

const pages: readonly Page[] = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)]
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, commands: commandsIn(readFileSync(join(ROOT, name), 'utf8')) }))
  .filter(({ commands }) => commands.length > 0);

/** One for each line, with those that it goes on in. */
function commandsIn(page: string): readonly string[] {
  return [...page.matchAll(/^```(?:sh|bash)\n(.*?)^```/gms)].flatMap(([, block = '']) => {
    const commands: string[] = [];
    let open = '';
    for (const line of block.split('\n')) {
      open = open === '' ? line : `${open}\n${line}`;
      const heredoc = /<<'?(\w+)'?/.exec(open)?.[1];
      const isOpen =
        open.endsWith('\\') ||
        (heredoc !== undefined && !open.endsWith(`\n${heredoc}`)) ||
        (open.match(/'/g)?.length ?? 0) % 2 === 1;
      if (isOpen) continue;
      if (open.trim() !== '' && !open.startsWith('#')) commands.push(open);
      open = '';
    }
    assert.equal(open, '', `a command without an end: ${open}`);
    return commands;
  });
}

/** What stands in a command for what the reader has: the id that the command before it gave, and so on. */
function filledIn(command: string, before: string, folder: string): string {
  const stream = /"streamId":\s*"([^"]+)"/.exec(before)?.[1] ?? 'STREAM';
  return command
    .replaceAll('STREAM', stream)
    .replaceAll('/backups/', './')
    .replaceAll('hark-2026-11-21.db', () => backupIn(folder));
}

/** The one that a command before it made, on the day that the shell took for today. */
function backupIn(folder: string): string {
  return readdirSync(folder).find((name) => /^hark-.+\.db$/.test(name)) ?? 'hark-none.db';
}

/** Shows what the reader would see; a refusal that the page cannot avoid is one, and no failure of the command. */
const REFUSED: readonly (readonly [command: RegExp, status: RegExp])[] = [
  // A code that the reader would have from `hark devices pair`, and an id of one that waits.
  [/"pairingCode": "…"/, /PAIRING_CODE_INVALID/],
  [/^hark devices approve <id>/, /./],
  // The key of a provider, which refuses this one.
  [/"apiKey": "sk-…"/, /./],
];

describe('the commands of', () => {
  let models: ScriptedModels;
  let shims: string;
  beforeAll(async () => {
    models = (await ScriptedModels.start()).script(() => says('As you say.'));
    shims = mkdtempSync(join(tmpdir(), 'hark-shims-'));
    const shim = (name: string, body: string) => {
      writeFileSync(join(shims, name), `#!/bin/bash\n${body}\n`);
      chmodSync(join(shims, name), 0o755);
    };
    const run = `exec '${process.execPath}' '${BIN}'`;
    shim('hark', `${run} "$@"`);
    shim('npx', `[ "$1" = hark ] || { echo "npx $1 is not hark" >&2; exit 64; }\nshift\n${run} "$@"`);
    const there = ['127.0.0.1', 'localhost'].map((host) => `--connect-to ${host}:4102:127.0.0.1:$TEST_PORT`);
    shim('curl', `exec /usr/bin/curl --silent --show-error --fail-with-body ${there.join(' ')} "$@"`);
    // Whether what is set would start: test/service starts it.
    const check = `import(process.env.TEST_CONFIG).then((m) => m.readConfig(process.env))`;
    shim(
      'npm',
      `[ "$1" = start ] || { echo "npm $1 is not run here" >&2; exit 64; }\nexec '${process.execPath}' -e '${check}'`,
    );
  });
  afterAll(async () => {
    rmSync(shims, { recursive: true });
    await models.stop();
  });

  for (const { name, commands } of pages) {
    const run = commands.filter((command) => !ELSEWHERE.some(([elsewhere]) => elsewhere.test(command)));
    if (run.length === 0) continue;
    test(`${name} do what they say`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'hark-commands-'));
      writeFileSync(join(folder, 'cat.png'), Buffer.from('iVBORw0KGgo=', 'base64'));
      const where = { SERVICE_KVSTORE_URL: 'embedded', SERVICE_DATA_DIR: join(folder, 'served') };
      const service = await InProcessService.start({
        ...{ ...where, ...providersAt(models), API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' },
        ...{ SERVICE_TEST_NOW: String(Date.now()), SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true' },
      });
      t.onTestFinished(async () => {
        await service.stop();
        rmSync(folder, { recursive: true });
      });
      let before = '';
      for (const command of run) {
        const filled = filledIn(command, before, folder);
        const { code, out } = await outcomeOf(filled, folder, {
          ...{ ...where, HOME: folder, TEST_PORT: String(service.port), HEALTH_PORT: String(service.port) },
          ...{ TEST_CONFIG: join(ROOT, 'src/config.ts'), PATH: `${shims}${delimiter}${process.env.PATH}` },
        });
        const refusal = REFUSED.find(([refused]) => refused.test(command));
        // What doctor finds wrong is how it ends.
        if (refusal) assert.match(out, refusal[1], command);
        else if (!command.startsWith('npx hark doctor')) assert.equal(code, 0, `${filled}\n${out}`);
        else assert.ok(code === 0 || code === 1, out);
        before = out;
      }
    });
  }
});

async function outcomeOf(command: string, cwd: string, env: Readonly<Record<string, string>>) {
  const child = spawn('bash', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [code, out, error] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out: out + error };
}

test('what is run elsewhere is still in a page', () => {
  const all = pages.flatMap(({ commands }) => commands);
  const gone = ELSEWHERE.filter(([command]) => !all.some((one) => command.test(one)));
  const general = /\(export\|cd|npm run|service|hark-agent|docker/;
  assert.deepEqual(
    gone.map(([command]) => command.source).filter((source) => !general.test(source)),
    [],
  );
});
