import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { parts } from '../../src/gateways/onnxruntime/fetching.ts';
import { fetchedOnnxruntime } from '../../src/onnxruntime.ts';
import { outcomeOf } from '../interfaces/cli/hark.ts';
import { type InstalledHark, mebibytesOf, PackedHark } from './installed.ts';
import { npm } from './npm.ts';
import { ended, first } from './startedHark.ts';

const root = join(import.meta.dirname, '../..');
const MOST_MEBIBYTES = 40;
/** With speech, and with the runtime of models. */
const MOST_IN_USE = 150;

let packed: PackedHark;
beforeAll(() => {
  packed = new PackedHark();
});
afterAll(() => packed[Symbol.dispose]());

/** What somebody does first who has installed it. */
async function assertServes(installed: InstalledHark): Promise<void> {
  await using service = await installed.start();
  for (const page of ['/', '/docs']) assert.match((await service.get(page)).text, /^<!doctype html>/i, page);
  assert.equal((await service.get('/api/openapi.json')).status, 200);
  const { body } = await service.get<{ version: string }>('/health');
  assert.equal(body.version, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  const at = { HARK_URL: service.url, SERVICE_DATA_DIR: join(installed.folder, 'data') };
  const messages = [
    { role: 'user', content: 'I went to Bergen by train.' },
    { role: 'assistant', content: 'How was it?' },
  ];
  const content = { sessions: [{ id: 'trip', startedAt: Date.now(), messages }] };
  const told = await service.ask('POST', '/api/memory/import', {
    body: { source: 'conversation', content },
  });
  assert.equal(told.status, 200, told.text);
  for (const args of [['memory', 'search', 'Bergen'], ['memory', 'maintain'], ['status'], ['doctor']]) {
    const { code, stdout, stderr } = await installed.hark(args, at);
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
    if (args[1] === 'search') assert.match(stdout, /Bergen/);
  }
}

async function assertHasDemo(installed: InstalledHark): Promise<void> {
  const demo = installed.spawn([installed.bin, 'demo']);
  try {
    const url = await first(demo, (line) => /export HARK_URL=(\S+)/.exec(line)?.[1]);
    const said = await installed.hark(['chat'], { HARK_URL: url }, 'What is 17 * 23?\n');
    assert.match(said.stdout, /391/);
    assert.match((await installed.hark(['memory', 'conclusions'], { HARK_URL: url })).stdout, /Robin/);
  } finally {
    assert.equal(await ended(demo, 'SIGINT'), 0);
  }
}

describe('hark, installed with nothing but itself', () => {
  let installed: InstalledHark;
  const ours = () =>
    globSync('dist/**/*.js', { cwd: installed.package, exclude: ['**/node_modules', '**/dashboard'] });

  beforeAll(() => {
    // With no cache and no network: whatever it needs lies in it.
    installed = packed.install('--omit=optional', '--offline');
  });

  test(`takes no more than ${MOST_MEBIBYTES} MiB`, () => {
    assert.ok(installed.mebibytes <= MOST_MEBIBYTES, `${installed.mebibytes}`);
  });

  test('has every file that one of its files names, and each line where it is in the sources', () => {
    const named = /(?:\bfrom |\bimport\(?|new URL\()\s*'(\.{1,2}\/[^'\n]+)'/g;
    for (const file of ours()) {
      const path = join(installed.package, file);
      const text = readFileSync(path, 'utf8');
      for (const [, target = ''] of text.matchAll(named))
        assert.ok(existsSync(join(dirname(path), target)), `${file} names ${target}`);
      const source = join(root, file.replace(/^dist/, 'src').replace(/\.js$/, '.ts'));
      if (existsSync(source))
        assert.equal(text.split('\n').length, readFileSync(source, 'utf8').split('\n').length, file);
    }
  });

  test('starts, shows the dashboard, remembers, sweeps, and finds nothing wrong with itself', () =>
    assertServes(installed));

  test('loads no module twice, joined and by itself', async () => {
    const record = `
      import { appendFileSync } from 'node:fs';
      import { registerHooks } from 'node:module';
      import { isMainThread } from 'node:worker_threads';
      const load = (url, context, next) => (appendFileSync('loaded.txt', url + '\\n'), next(url, context));
      if (isMainThread && process.argv[2] === 'start') registerHooks({ load });
    `;
    writeFileSync(join(installed.folder, 'record.js'), record);
    {
      await using service = await installed.start({ NODE_OPTIONS: '--import=./record.js' });
      assert.equal((await service.get('/api/openapi.json')).status, 200);
      const asked = await installed.hark(['memory', 'search', 'Bergen'], { HARK_URL: service.url });
      assert.equal(asked.code, 0, asked.stderr);
    }
    const loaded = readFileSync(join(installed.folder, 'loaded.txt'), 'utf8').split('\n');
    const inPackage = loaded.flatMap((url) => url.split('/hark-agent/dist/').slice(1));
    const joined = JSON.parse(readFileSync(join(installed.package, 'dist/start/modules.json'), 'utf8'));
    assert.ok(inPackage.includes('start/joinedRest.js') && inPackage.includes('sagas/runtime.js'));
    assert.deepEqual(
      inPackage.filter((path) => Object.hasOwn(joined, path)),
      [],
    );
  });

  test('names in traces each module, line and column as if it came by itself', async () => {
    const refusing =
      "import net from 'node:net'; net.Server.prototype.listen = () => { throw new TypeError('refused'); }";
    const places = async () => {
      const { stdout } = await outcomeOf(
        installed.spawn(['--import', `data:text/javascript,${refusing}`, installed.bin, 'start'], {
          LOG_LEVEL: 'debug',
          SERVICE_DATA_DIR: join(installed.folder, 'refused'),
        }),
      );
      const failed = stdout.split('\n').find((line) => line.includes('start failed'));
      const { err } = JSON.parse(failed ?? 'null');
      return err.at.filter((line: string) => line.includes('/dist/'));
    };
    const joined = await places();
    const folder = join(installed.package, 'dist/start');
    renameSync(folder, `${folder}-away`);
    try {
      assert.deepEqual(joined, await places());
    } finally {
      renameSync(`${folder}-away`, folder);
    }
    assert.ok(joined.length >= 3, joined.join('\n'));
  });

  test('is started by a program that imports it, which reads nothing from the environment', async () => {
    const program = `
      import { startService } from 'hark-agent';
      const ports = { HEALTH_PORT: 0, MCP_PORT: 0, AUDIO_PORT: '0' };
      const hark = await startService({ ...ports, SERVICE_KVSTORE_URL: 'memory', LOG_LEVEL: 'silent' });
      const answer = await fetch(hark.url + '/health');
      console.log(answer.status, Object.values(hark.ports).every((port) => port > 0), new URL(hark.url).port == hark.ports.health);
      await hark.stop();
      await startService({ HEALTH_PROT: 1 }).catch((error) => console.log(error.name, error.message));
      await startService({ env: process.env, LOG_LEVEL: 'loud' }).catch((error) => console.log(error.problems.length));
    `;
    writeFileSync(join(installed.folder, 'program.js'), program);
    const { code, stdout, stderr } = await outcomeOf(
      installed.spawn(['program.js'], { SERVICE_API_KEY: 'short' }),
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(stdout.trim().split('\n'), [
      '200 true true',
      'ConfigError HEALTH_PROT is not a variable of hark; did you mean HEALTH_PORT?',
      '2',
    ]);
  });

  test('has types for such a program', () => {
    const program = `
      import { type RunningService, startService } from 'hark-agent';
      const hark: RunningService = await startService({ HEALTH_PORT: 0, SERVICE_KVSTORE_URL: 'memory', env: process.env });
      const port: number = hark.ports.mcp;
      // @ts-expect-error: not one of the levels
      await startService({ LOG_LEVEL: 'loud' });
      // @ts-expect-error: no variable
      await startService({ HEALTH_PROT: port });
      await hark.stop();
    `;
    writeFileSync(join(installed.folder, 'program.ts'), program);
    const config = {
      compilerOptions: {
        module: 'nodenext',
        strict: true,
        noEmit: true,
        typeRoots: [join(root, 'node_modules/@types')],
        types: ['node'],
      },
      files: ['program.ts'],
    };
    writeFileSync(join(installed.folder, 'tsconfig.json'), JSON.stringify(config));
    npm(['exec', '--no', '--', 'tsc', '-p', installed.folder], root);
  });

  test('says that what it came without is off, and what puts it right', async () => {
    await using service = await installed.start();
    const { body: health } = await service.get('/health/nli-pipeline');
    assert.match(String(health.note), /^Off, since onnxruntime is not installed \(hark doctor --fix/);
    const { body } = await service.get<{ dependencies: { name: string; status: string }[] }>(
      '/api/dependencies',
    );
    const statuses = Object.fromEntries(body.dependencies.map(({ name, status }) => [name, status]));
    assert.equal(statuses['nli-model'], 'missing');
    assert.notEqual(statuses['speech-tts'], 'ready');
    assert.match(
      (await installed.hark(['doctor'])).stdout,
      /onnxruntime .*not here[\s\S]*hark doctor --fix fetches it/,
    );
  });

  test('says on an older Node what to do', async () => {
    const older =
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.1.0" } })';
    const flags = ['--import', `data:text/javascript,${older}`];
    const { code, stderr } = await outcomeOf(installed.spawn([...flags, installed.bin, 'start']));
    assert.deepEqual(
      [code, /needs Node 24 or newer, and this is 22\.1\.0\. Install/.test(stderr)],
      [1, true],
      stderr,
    );
    // Where the machine has an older one itself, that one says so too.
    const folders = (process.env.PATH ?? '').split(delimiter).filter((one) => !one.includes('node_modules'));
    for (const node of folders.map((one) => join(one, 'node')).filter((file) => existsSync(file))) {
      const version = execFileSync(node, ['--version'], { encoding: 'utf8' });
      if (Number.parseInt(version.slice(1), 10) >= 24) continue;
      const said = spawnSync(node, [installed.bin, 'start'], { encoding: 'utf8' });
      assert.match(said.stderr, /needs Node 24 or newer, and this is [\d.]+\. Install/);
    }
    writeFileSync(
      join(installed.folder, 'older.js'),
      "import { startService } from 'hark-agent'; await startService();",
    );
    assert.match((await outcomeOf(installed.spawn([...flags, 'older.js']))).stderr, /needs Node 24 or newer/);
  });
});

describe('hark, with all that it can use', () => {
  let installed: InstalledHark;
  let data: string;
  beforeAll(async () => {
    installed = packed.install();
    data = join(installed.folder, 'data');
    const fixed = await installed.fix(data);
    assert.match(fixed.stdout, /ok +onnxruntime +onnxruntime is here/, fixed.stdout);
  });

  test(`takes no more than ${MOST_IN_USE} MiB`, () => {
    const total = installed.mebibytes + mebibytesOf(data);
    assert.ok(total <= MOST_IN_USE, `${total}`);
  });

  test('starts, shows the dashboard, remembers, sweeps, and finds nothing wrong with itself', () =>
    assertServes(installed));

  test('has a demo to chat with', () => assertHasDemo(installed));

  test('runs models and speaks', async () => {
    assert.match(
      (await installed.hark(['doctor'])).stdout,
      /ok +onnxruntime +onnxruntime 1\.30\.0 runs models here/,
    );
    await using service = await installed.start();
    const { body: health } = await service.get('/health/nli-pipeline');
    assert.match(String(health.note), /not downloaded yet/);
    const { body: speech } = await service.get('/health/tts-local');
    assert.equal(speech.note, 'flite', JSON.stringify(speech));
  });

  test('is the same on the other processor, but for what is made for it', () => {
    const there = process.arch === 'x64' ? 'arm64' : 'x64';
    const other = packed.install('--os=linux', '--libc=glibc', `--cpu=${there}`);
    const here = filesOf(installed).map((file) => file.replace(`linux-${process.arch}`, `linux-${there}`));
    assert.deepEqual(filesOf(other), here);
    const runtime = join(root, 'node_modules/onnxruntime-node/bin/napi-v6/linux', there);
    for (const [folder, names] of [
      [runtime, readdirSync(runtime)],
      [join(other.folder, 'node_modules'), filesOf(other)],
    ] as const)
      for (const name of names.filter((file) => /\.node$|\.so(\.\d+)*$/.test(file)))
        assert.equal(processorOf(join(folder, name)), there, name);
  });

  test('fetches the version that was tested, which the lock file pins', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    for (const { name, version, integrity } of parts) {
      const { version: locked, integrity: pinned } = packages[`node_modules/${name}`];
      assert.deepEqual([version, integrity], [locked, pinned]);
      assert.ok(fetchedOnnxruntime('').endsWith(version));
    }
  });
});

/** All that was installed, but for what a run has kept. */
function filesOf({ folder }: InstalledHark): readonly string[] {
  const files = globSync('**/*', { cwd: join(folder, 'node_modules') });
  return files.filter((file) => !file.startsWith('hark-agent/node_modules')).sort();
}

/** For which a library was made, as the header of an ELF file says. */
function processorOf(library: string): string | undefined {
  const [magic, machine] = [
    readFileSync(library).toString('latin1', 1, 4),
    readFileSync(library).readUInt16LE(18),
  ];
  return magic === 'ELF' ? { 62: 'x64', 183: 'arm64' }[machine] : undefined;
}
