import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { z } from 'zod';
import { launchAgent } from '../../../src/interfaces/cli/service/launchd.ts';
import { systemUnit, userUnit } from '../../../src/interfaces/cli/service/systemd.ts';
import { skippedFor } from '../../support/skippedFor.ts';
import { hark, TemporaryFolder } from './hark.ts';
import { readPropertyList } from './propertyList.ts';

const program = { node: process.execPath, bin: join(import.meta.dirname, '../../../bin/hark.js') };
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.runIf(process.platform === 'linux')('the units of systemd', () => {
  const analyze = (args: readonly string[], text: string) => {
    using folder = new TemporaryFolder();
    const file = join(folder.path, 'hark.service');
    writeFileSync(file, text);
    const env = { PATH: process.env.PATH ?? '', XDG_RUNTIME_DIR: folder.path, SYSTEMD_LOG_LEVEL: 'warning' };
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file], {
      env,
      encoding: 'utf8',
    });
    return { status, told: stdout + stderr };
  };
  const missing = skippedFor(!hasSystemd && 'no systemd-analyze');

  test('are units', missing, () => {
    assert.deepEqual(analyze(['verify', '--man=no'], systemUnit(program)), { status: 0, told: '' });
    assert.deepEqual(analyze(['verify', '--man=no', '--user'], userUnit(program)), { status: 0, told: '' });
  });

  test('expose no more of the machine than 2.0 of 10', missing, () => {
    const { status, told } = analyze(
      ['security', '--offline=yes', '--threshold=20', '--no-pager'],
      systemUnit(program),
    );
    assert.equal(status, 0, told);
  });

  test('name the program as systemd reads it, and let it see what lies in a home', () => {
    const unit = systemUnit({ node: '/home/me/50% $x/node', bin: '/home/me/a "b"/bin/hark.js' });
    assert.match(
      unit,
      /^ExecStart="\/home\/me\/50%% \$\$x\/node" .* "\/home\/me\/a \\"b\\"\/bin\/hark\.js" start$/m,
    );
    assert.match(unit, /^BindReadOnlyPaths="\/home\/me\/a \\"b\\""$/m);
  });
});

describe.runIf(process.platform === 'linux')('hark service', () => {
  test('installs, tells of, and takes away what it installed', async () => {
    using folder = new TemporaryFolder();
    const calls = join(folder.path, 'calls');
    const tools = join(folder.path, 'tools');
    mkdirSync(tools);
    // It has no manager of services to speak with here: what it would be told is written down.
    writeFileSync(join(tools, 'systemctl'), `#!/bin/sh\necho "$@" >> ${calls}\n`);
    chmodSync(join(tools, 'systemctl'), 0o755);
    const environment = { PATH: `${tools}:${process.env.PATH}`, XDG_CONFIG_HOME: folder.path };
    const service = (...args: readonly string[]) => hark(['service', '--user', ...args], environment);
    const file = join(folder.path, 'systemd/user/hark.service');

    assert.equal((await service('status')).code, 1);
    const { code, stderr } = await service('install');
    assert.equal(code, 0, stderr);
    assert.equal((await service('install', '--print')).stdout, readFileSync(file, 'utf8'));
    assert.deepEqual(JSON.parse((await service('status', '--json')).stdout), {
      installed: true,
      running: true,
      file,
    });
    assert.equal((await service('uninstall')).code, 0);
    assert.equal(existsSync(file), false);
    assert.deepEqual(readFileSync(calls, 'utf8').trim().split('\n'), [
      '--user daemon-reload',
      '--user enable --now hark.service',
      '--user is-active --quiet hark.service',
      '--user disable --now hark.service',
      '--user daemon-reload',
    ]);
    assert.match((await service('uninstall')).stderr, /not installed/);
  });
});

describe('the agent of launchd', () => {
  const program = { node: '/opt/a&b/node', bin: '/x/<y>/hark.js' };
  // What launchd.plist(5) says of the properties that hark has.
  const shape = z.strictObject({
    Label: z.string().regex(/^[\w.-]+$/),
    ProgramArguments: z.array(z.string()).min(1),
    WorkingDirectory: z.string().startsWith('/'),
    EnvironmentVariables: z.record(z.string(), z.string()),
    RunAtLoad: z.boolean(),
    KeepAlive: z.strictObject({ SuccessfulExit: z.boolean() }),
    ExitTimeOut: z.int(),
    Umask: z.int(),
    StandardOutPath: z.string().startsWith('/'),
    StandardErrorPath: z.string().startsWith('/'),
  });

  test('is a list of properties that launchd knows, and starts what it is to start', () => {
    const agent = shape.parse(readPropertyList(launchAgent(program)));
    assert.equal(agent.ProgramArguments[0], program.node);
    assert.deepEqual(agent.ProgramArguments.slice(-2), [program.bin, 'start']);
    assert.equal(agent.EnvironmentVariables.SERVICE_DATA_DIR, agent.WorkingDirectory);
    assert.deepEqual([agent.Umask.toString(8), agent.KeepAlive], ['77', { SuccessfulExit: false }]);
  });

  test('would be refused if a path were not escaped', () => {
    const agent = launchAgent(program);
    for (const [from, to] of [
      ['a&amp;b', 'a&b'],
      ['&lt;y', '<y'],
      ['</array>', ''],
      ['<true/>', '<true>'],
    ] as const)
      assert.throws(() => readPropertyList(agent.replace(from, to)), Error, to);
  });
});
